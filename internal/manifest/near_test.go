package manifest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A key that may be meant for permissions would leave every call without a
// rule; one that is further off is the host's.
func TestNearPermissions(t *testing.T) {
	for key, want := range map[string]bool{
		"permission": true, "Permissions": true, "PERMISSIONS": true, "permissions2": true, "permission_mode": true,
		"Permission-Rules": true, "permisions": true, "premissions": true, "perrmissions": true, "persmission": true,
		"pemissons": true, " permissions": true, "permissions ": true, "реrmissions": true,

		"": false, "perm": false, "permits": false, "omissions": false, "submissions": false, "missions": false,
		"rules": false, "agent": false, "my_permissions": false,
	} {
		src := keyText(key) + " = 1\n"
		doc, faults := Read([]byte(src))
		assert.False(t, doc.Enabled, src)
		if want {
			assert.Equal(t, []string{"0 host[0] " + keyText(key) + `: unknown key: did you mean "permissions"?`}, report(faults), src)
		} else {
			assert.Empty(t, report(faults), src)
		}
	}
}

func TestRulesElsewhere(t *testing.T) {
	for src, want := range map[string]bool{
		"[agent.permissions]\ndefault_action = 'ask'\n":             true,
		"[agent.permission]\n[[agent.permission.rule]]\n":           true,
		"[agent.Permissions]\nrule = 1\n":                           true,
		"[[agent]]\n[[agent]]\n[agent.permissions]\nrule = []\n":    true,
		"agent = [{}, {permissions = {rule = 1}}]\n":                true,
		"agent = {permissions = {rule = 1}}\n":                      true,
		"agent.permissions.rule = 1\n":                              true,
		head + "[agent.permissions]\ndefault_action = 'ask'\n":      true,
		"[[rule]]\ntool = 'a'\npattern = 'b'\naction = 'deny'\n":    true,
		"rule = [{tool = 'a', pattern = 'b', action = 'deny'}]\n":   true,
		"[agent.permissions]\nallow = ['a']\n":                      false,
		"[agent]\npermissions = 'rule'\n":                           false,
		"[agent.deep.permissions]\nrule = 1\n":                      false,
		"[[rule]]\ntool = 'a'\n":                                    false,
		"[rule]\ntool = 'a'\npattern = 'b'\naction = 'deny'\n":      false,
		"[agent]\ndefault_action = 'x'\n[[agent.rule]]\ntool = 1\n": false,
	} {
		_, faults := Read([]byte(src))
		assert.Len(t, faults, map[bool]int{true: 1}[want], "%s%q", src, report(faults))
	}
}

func TestNearest(t *testing.T) {
	words := []string{"deny", "ask", "allow"}
	for word, want := range map[string]string{
		"Deny": "deny", "DENY": "deny", "dney": "deny", "denyed": "deny", "den": "deny", "alow": "allow",
		"allows": "allow", "allowed": "allow", "aks": "ask", "asks": "ask", "as": "ask",
		"": "", "a": "", "x": "", "yes": "", "no": "", "permit": "", "never mind": "",
	} {
		assert.Equal(t, want, Nearest(word, words...), "%q", word)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abc", "bc", 1},
		{"tool", "tols", 2}, {"ä", "a", 1}, {"ab", "ba", 1}, {"match", "watch", 1},
	} {
		assert.Equal(t, c.want, distance(c.a, c.b), "%q, %q", c.a, c.b)
		assert.Equal(t, c.want, distance(c.b, c.a), "%q, %q", c.b, c.a)
	}
}
