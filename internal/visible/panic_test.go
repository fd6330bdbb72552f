package visible

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

type poison struct{}

func (poison) String() string { panic(poison{}) }

func TestPanic(t *testing.T) {
	assert.Equal(t, "boom", Panic("boom"))
	assert.Equal(t, "boom", Panic(errors.New("boom")))
	assert.Equal(t, "a visible.poison", Panic(poison{}))
}
