package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The faults that are told are those that stand first.
func TestFaultsAreCapped(t *testing.T) {
	src := head + strings.Repeat("[[permissions.rule]]\ntool = 'a'\npattern = 'b'\n", 5000)
	_, faults := Read([]byte(src))
	all := report(faults)
	require.Len(t, all, MaxFaults+1)
	for i, line := range all[:MaxFaults] {
		assert.Equal(t, fmt.Sprintf("%d rule[%d] action: missing: the key is required", 3+3*i, i+1), line)
	}
	assert.Equal(t, "0 host[0] : and 4900 more", all[MaxFaults])

	_, faults = Read([]byte(head + strings.Repeat("[[permissions.rule]]\ntool = 'a'\npattern = 'b'\n", MaxFaults)))
	require.Len(t, faults, MaxFaults)
	assert.Equal(t, errMissing, faults[MaxFaults-1].Err, "all of them were told")
}

// Faults that are found later take the place of those that stand behind them,
// and nothing is counted twice.
func TestFirstAgain(t *testing.T) {
	doc, faults := Read([]byte(head + strings.Repeat("[[permissions.rule]]\ntool = 'a'\npattern = 'b'\n", MaxFaults+1)))
	later := errors.New("later")
	faults = doc.First(append(faults,
		Fault{Section: InRules, Number: MaxFaults + 1, Key: "tool", Err: later},
		Fault{Section: InRules, Number: 1, Key: "tool", Err: later}))
	require.Len(t, faults, MaxFaults+1)
	assert.Equal(t, More(3), faults[MaxFaults].Err)
	var found []int
	for i, f := range faults {
		if f.Err == later {
			found = append(found, i)
		}
	}
	assert.Equal(t, []int{1}, found, "the action that is missing stands where its rule starts")
}
