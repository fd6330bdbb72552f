package permissionmcp

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission"
)

func TestServer(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		u := says("accept")
		session := s.join(w, u)

		got, isError := call(t, session, "read", file("ok/1"))
		assert.False(t, isError)
		assert.Equal(t, "ran", got)

		got, isError = call(t, session, "delete", file("ok/1"))
		assert.True(t, isError)
		assert.Contains(t, got, "nothing is deleted")
		assert.Equal(t, 1, s.ran())

		got, isError = call(t, session, "write", file("ask/1"))
		assert.False(t, isError, got)
		assert.Equal(t, "ran", got)
		assert.Equal(t, 2, s.ran())
		assert.Len(t, u.questions(), 1)
		assert.Contains(t, u.questions()[0], "ask/1")
		assert.Contains(t, u.questions()[0], "somebody has to look")

		want := []permission.Cause{permission.CauseRule, permission.CauseRule, permission.CauseOnce}
		if w.version == newest { // it was put before it was answered
			want = []permission.Cause{permission.CauseRule, permission.CauseRule, permission.CauseClosed, permission.CauseOnce}
		}
		assert.Equal(t, want, s.records.causes())
	})
}
