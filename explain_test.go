package permission_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// checkTrace fails where a trace disagrees with Evaluate, or where its rules do
// not give the answers that stand beside them.
func checkTrace(t *testing.T, p *permission.Policy, c permission.ToolCall) permission.Trace {
	t.Helper()
	trace := p.Explain(c)
	require.Equal(t, p.Evaluate(c), trace.Decision)
	require.Equal(t, trace.Decision.Action == permission.Allow, trace.Refusal == "")
	checkSubjects(t, &trace)
	for line := range strings.Lines(trace.String()) {
		for _, r := range strings.TrimSuffix(line, "\n") {
			require.False(t, r < ' ' || r == 0x7f || r == 0x202e, "%q", line)
		}
	}
	data, err := json.Marshal(trace)
	require.NoError(t, err)
	var back permission.Trace
	require.NoError(t, json.Unmarshal(data, &back))
	return trace
}

// checkSubjects walks the rules of a trace as the comment of Evaluate says.
func checkSubjects(t *testing.T, trace *permission.Trace) {
	t.Helper()
	deciding := 0
	for _, st := range trace.Subjects {
		d, doubted, matched := st.Decision, (*permission.Rule)(nil), (*permission.Rule)(nil)
		for i, r := range st.Rules {
			switch {
			case r.Outcome == "match":
				require.Equal(t, len(st.Rules)-1, i, "the rule that decides is the last")
				matched = &st.Rules[i].Rule
			case r.Outcome == "may_match" && r.Rule.Action != permission.Allow && doubted == nil:
				doubted = &st.Rules[i].Rule
			case r.Outcome == "wide":
				require.Equal(t, permission.Allow, r.Rule.Action)
			case r.Outcome == "default":
				require.True(t, st.Free)
				require.NotEqual(t, permission.Allow, r.Rule.Action)
			}
			require.True(t, i == 0 || st.Rules[i-1].Number < r.Number, "in their order")
		}
		switch d.Cause {
		case permission.CauseRule:
			require.Equal(t, *matched, *d.Rule)
			require.Equal(t, matched.Action, d.Action)
		case permission.CauseDoubt:
			require.Equal(t, *doubted, *d.Rule)
			require.Equal(t, permission.Ask, d.Action)
		default:
			require.Equal(t, permission.CauseDefault, d.Cause)
			require.Nil(t, matched)
		}
		require.GreaterOrEqual(t, d.Action, trace.Decision.Action)
		if st.Decides {
			deciding++
			require.Equal(t, trace.Decision, d)
		}
	}
	if len(trace.Subjects) > 0 {
		require.Equal(t, 1, deciding)
	}
}

// Whatever the corpus holds is explained as it is decided.
func TestExplainAgreesWithEvaluate(t *testing.T) {
	for _, name := range []string{"calls.jsonl", "shell.jsonl"} {
		for _, c := range corpus(t, name) {
			p, _ := casePolicy(t, c.Call)
			checkTrace(t, p, permission.ToolCall{Name: c.Call.Tool, Input: c.Call.Input})
		}
	}
}

func FuzzExplainAgreesWithEvaluate(f *testing.F) {
	for _, in := range []string{
		``, `{}`, `{"command":"ls"}`, `{"command":"cd a && cat $X > b; . <(c)"}`, `{"path":"~/a"}`, `{"edits":[{"path":"a"},{"path":"../b"}]}`,
		`{"url":"https://a.test/%2e%2e"}`, `{"a":["https://b.test","c/d"],"n":1}`, `[`, "\xff",
	} {
		for _, tool := range []string{"bash", "read", "multi_edit", "grep", "webfetch", "other", ""} {
			f.Add(tool, "", []byte(in), uint8(len(in)))
		}
	}
	lines := []string{
		"ask bash cat *.env", "allow {bash,read} a*", "deny * *b", "allow * {c,d} *", "deny bash > b",
		"allow read ./*", "deny webfetch domain:a.test", "ask other */c/*", "allow * ?*", "deny * *",
	}
	var all []*permission.Policy
	for i := range lines {
		p, err := permission.Compile(permission.Action(i%3), rules(f, append(lines[i:], lines[:i]...)...), linux())
		require.NoError(f, err)
		all = append(all, p)
	}
	all = append(all, permission.Strictest(all[0], all[3]), nil)
	f.Fuzz(func(t *testing.T, tool, dir string, input []byte, which uint8) {
		checkTrace(t, all[int(which)%len(all)], permission.ToolCall{Name: tool, Dir: dir, Input: input})
	})
}

// A person sees each part of the call, how it was read, what became of each
// rule, and what the model is told.
func ExamplePolicy_Explain() {
	p, err := permission.Compile(permission.Ask, []permission.Rule{
		{Tool: "bash", Pattern: "git push --force *", Action: permission.Deny},
		{Tool: "bash", Pattern: "git *", Action: permission.Allow},
		{Tool: "read", Pattern: "./*", Action: permission.Allow},
	}, &permission.Options{Root: "/srv/proj", GOOS: "linux"})
	if err != nil {
		panic(err)
	}
	fmt.Print(p.Explain(permission.ToolCall{Name: "bash", Input: []byte(`{"command":"cd web && git push $HOW"}`)}))
	// Output:
	// ask: doubt: deny bash "git push --force *": "git push $HOW": the value of $HOW: write the value, or assign it before, as a command of its own
	//
	// command "cd web"
	//     allow: it needs no rule, and none speaks of it
	//        1  no match   deny bash "git push --force *"
	//        2  no match   allow bash "git *"
	//
	// command "git push $HOW"
	//     ask: rule 1 may be meant for it (the answer for the call)
	//     unknown: the value of $HOW: write the value, or assign it before, as a command of its own
	//     read as: git push⟨words⟩
	//     to deny and ask also: git push $HOW
	//        1  may match  deny bash "git push --force *": as git push⟨words⟩: so the answer is ask at most
	//        2  match      allow bash "git *": as git push⟨words⟩
	//
	// 1 rule for other tools: read
	//
	// What the model is told where nobody can be asked:
	//     Permission denied: "bash" "git push $HOW" was not run. It could not be read: the value of $HOW: write the value, or assign it before, as a command of its own. The rule for bash "git push --force *" may be meant for it. It needs approval, and no approver is attached. Write it plainly, or tell the user what you need and why.
}

func TestExplainTellsWhatBecameOfEachRule(t *testing.T) {
	p := compile(t, permission.Deny, "allow read ~/*", "allow read *.md", "deny read /etc/*", "ask bash *", "allow Bash *")
	trace := checkTrace(t, p, call("read", `{"path":"~/notes"}`))
	assert.Equal(t, "match", trace.Subjects[0].Rules[0].Outcome)
	assert.Equal(t, 2, trace.OtherRules)
	assert.Equal(t, []string{"bash", "Bash"}, trace.OtherTools, "what differs in case alone is seen")

	// The file of that name in the root is only what it might be taken for.
	p = compile(t, permission.Deny, "allow read ./*", "deny read /home/*")
	trace = checkTrace(t, p, call("read", `{"path":"~/notes"}`))
	assert.Equal(t, "wide", trace.Subjects[0].Rules[0].Outcome)
	assert.Equal(t, "/home/u/notes", trace.Subjects[0].Rules[1].Reading)
	assert.Contains(t, trace.String(), "does not do for an allow")

	// What needs no rule does not hear one for everything.
	p = compile(t, permission.Deny, "allow bash ls", "deny bash *")
	trace = checkTrace(t, p, call("bash", `{"command":"cd a && ls"}`))
	assert.Equal(t, permission.Allow, trace.Decision.Action)
	assert.Equal(t, "default", trace.Subjects[0].Rules[1].Outcome)
	assert.True(t, trace.Subjects[0].Free)

	// An allow has to match whatever stands in a hole.
	p = compile(t, permission.Ask, "allow bash git push origin")
	trace = checkTrace(t, p, call("bash", `{"command":"git push \"$X\""}`))
	assert.Equal(t, "may_match", trace.Subjects[0].Rules[0].Outcome)
	assert.Equal(t, permission.CauseDefault, trace.Decision.Cause)
	assert.Equal(t, []string{"git push ⟨word⟩"}, trace.Subjects[0].Narrow)
}

func TestExplainTellsWhyNoRuleWasTried(t *testing.T) {
	off, err := permission.ParseManifest("off.toml", nil, linux())
	require.NoError(t, err)
	ls := call("bash", `{"command":"ls"}`)
	for mention, p := range map[string]*permission.Policy{
		"allow: disabled":                          off,
		"There is no [permissions] table":          off,
		"deny: fault: there is no policy":          nil,
		"deny: fault: the policy was not compiled": new(permission.Policy),
		"Tell the user":                            nil,
	} {
		trace := checkTrace(t, p, ls)
		assert.Contains(t, trace.String(), mention)
		assert.Empty(t, trace.Subjects)
	}
	trace := checkTrace(t, compile(t, permission.Allow, "allow * *"), call("bash", `{"command":`))
	assert.Equal(t, permission.CauseMalformed, trace.Decision.Cause)
	assert.Contains(t, trace.Refusal, "Correct the input")
}

func TestExplainTellsEachPartOfStrictest(t *testing.T) {
	user, project := compile(t, permission.Ask, "allow bash ls *"), compile(t, permission.Allow, "deny bash ls /")
	both := permission.Strictest(user, project)
	trace := checkTrace(t, both, call("bash", `{"command":"ls /"}`))
	require.Len(t, trace.Parts, 2)
	assert.Equal(t, permission.Allow, trace.Parts[0].Decision.Action)
	assert.Equal(t, permission.Deny, trace.Parts[1].Decision.Action)
	assert.Empty(t, trace.Parts[1].Refusal, "told once")
	for i := range trace.Parts {
		checkSubjects(t, &trace.Parts[i])
	}
	assert.Contains(t, trace.String(), "Policy 2 of 2:\n    deny")
}

// A trace stays small, and holds what the answer rests on all the same.
func TestExplainIsBounded(t *testing.T) {
	var rs []permission.Rule
	for i := range 10000 {
		rs = append(rs, permission.Rule{Tool: []string{"bash", "read"}[i%2], Pattern: fmt.Sprintf("x%d", i)})
	}
	rs = append(rs, permission.Rule{Tool: "bash", Pattern: "last*", Action: permission.Ask})
	p, err := permission.Compile(permission.Allow, rs, linux())
	require.NoError(t, err)
	var line strings.Builder
	for i := range 500 {
		fmt.Fprintf(&line, "echo %d;", i)
	}
	input, err := p.Input("bash", line.String()+"last one")
	require.NoError(t, err)
	trace := checkTrace(t, p, permission.ToolCall{Name: "bash", Input: input})
	last := trace.Subjects[len(trace.Subjects)-1]
	assert.True(t, last.Decides)
	assert.Equal(t, 10001, last.Rules[len(last.Rules)-1].Number)
	assert.Equal(t, 5001, len(last.Rules)+last.MoreRules)
	assert.Equal(t, 501, len(trace.Subjects)+trace.MoreSubjects)
	assert.Equal(t, 5000, trace.OtherRules)
	assert.Less(t, len(trace.String()), 1<<20)
	assert.Contains(t, trace.String(), "more that did not decide")
}

// The JSON form is stable.
func TestTheJSONFormOfATraceIsStable(t *testing.T) {
	p := compile(t, permission.Ask, "deny bash git push --force *", "allow read *", "allow bash git *")
	data, err := json.Marshal(p.Explain(call("bash", `{"command":"git push $X"}`)))
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"tool": "bash",
		"decision": {
			"action": "ask", "cause": "doubt",
			"rule": {"tool": "bash", "pattern": "git push --force *", "action": "deny"},
			"subject": {"kind": "command", "text": "git push $X"},
			"detail": "the value of $X: write the value, or assign it before, as a command of its own"
		},
		"subjects": [{
			"decision": {
				"action": "ask", "cause": "doubt",
				"rule": {"tool": "bash", "pattern": "git push --force *", "action": "deny"},
				"subject": {"kind": "command", "text": "git push $X"},
				"detail": "the value of $X: write the value, or assign it before, as a command of its own"
			},
			"decides": true,
			"narrow": ["git push⟨words⟩"],
			"wide": ["git push $X"],
			"rules": [
				{
					"number": 1, "rule": {"tool": "bash", "pattern": "git push --force *", "action": "deny"},
					"outcome": "may_match", "reading": "git push⟨words⟩"
				},
				{
					"number": 3, "rule": {"tool": "bash", "pattern": "git *", "action": "allow"},
					"outcome": "match", "reading": "git push⟨words⟩"
				}
			]
		}],
		"other_rules": 1,
		"other_tools": ["read"],
		"refusal": "Permission denied: \"bash\" \"git push $X\" was not run. It could not be read: the value of $X: write the value, or assign it before, as a command of its own. The rule for bash \"git push --force *\" may be meant for it. It needs approval, and no approver is attached. Write it plainly, or tell the user what you need and why."
	}`, string(data))
}
