package lint

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// The linter reads calls and patterns as the policy does. So an option that says
// how has to come through to its reader: where every option is set, no field of
// the configuration is left out, nor one of the tools in it.
func TestTheLinterReadsAsThePolicyDoes(t *testing.T) {
	c, err := config(permission.Options{
		Root: "/srv", Home: "/home/u", GOOS: "linux", Shell: "posix",
		Wrappers: []string{"w"}, HarmlessEnv: []string{"V"},
		Tools: []permission.Tool{{Name: "t", Kind: permission.Path, Arguments: []string{"a"}, Optional: []string{"b"}}},
	})
	require.NoError(t, err)
	require.Len(t, c.Tools, 1)
	for _, v := range []reflect.Value{reflect.ValueOf(c), reflect.ValueOf(c.Tools[0])} {
		for i := range v.NumField() {
			assert.False(t, v.Field(i).IsZero(), "%v.%s", v.Type(), v.Type().Field(i).Name)
		}
	}
}
