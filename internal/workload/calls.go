package workload

import "fmt"

// A Call is a call of a tool as a model writes it.
type Call struct {
	Name        string // of the case
	Tool, Input string
}

// Plain and Compound are command lines of a hundred bytes as agents write them.
// Plain is one less the 14 bytes of JSON around it.
const (
	Plain    = `git diff --stat --no-color origin/main -- internal/reader cmd/permission web/app/x.tsx`
	Compound = `cd web && npm test -- --watch=false 2>&1 | tail -40 && git commit -m "Mend both readers" --no-verify`
)

// Calls are everyday calls, each of a kind of its own.
func Calls() []Call {
	return []Call{
		{"plain", "bash", fmt.Sprintf(`{"command":%q}`, Plain)},
		{"compound", "bash", fmt.Sprintf(`{"command":%q}`, Compound)},
		{"path", "read", `{"file_path":"internal/../web/src/pages/settings.tsx","offset":120,"limit":80}`},
		{"url", "webfetch", `{"url":"https://docs.example.com/guide/start?lang=en#install","prompt":"How is it installed?"}`},
		{"undeclared", "mcp_search", `{"query":"reader of command lines","limit":20,"recent":true,"sort":"date"}`},
	}
}

// WithLast returns n rules of which the last allow Calls, and none before them
// decides one.
func WithLast(n int, seed uint64) []Rule {
	const allow = 2
	last := []Rule{
		{"bash", "git diff *", allow},
		{"bash", "npm test *", allow},
		{"bash", "tail *", allow},
		{"bash", "git commit *", allow},
		{"read", "./*", allow},
		{"webfetch", "https://*.example.com/*", allow},
		{"mcp_*", "*", allow},
	}
	rules, _ := Make(n-len(last), seed)
	return append(rules, last...)
}
