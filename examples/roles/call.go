package main

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"

	"github.com/insomnia-run/permission"
)

// A call is one of the model's, with what the runtime knows of it.
type call struct {
	permission.ToolCall
	again bool // the model has made the same one over and over
}

// String returns c as people write it.
func (c call) String() string {
	s := c.Name
	if len(c.Input) > 0 {
		s += " " + string(c.Input)
	}
	if c.again {
		s += ", once more"
	}
	return s
}

// samples are calls in which the roles differ, or rules go over one another.
func samples() []call {
	sample := func(tool, input string) call {
		return call{ToolCall: permission.ToolCall{Name: tool, Input: json.RawMessage(input)}}
	}
	circling := sample("grep", `{"pattern":"TODO"}`)
	circling.again = true
	return []call{
		sample("read", `{"filePath":"src/main.go"}`),
		sample("read", `{"filePath":".env"}`),
		sample("read", `{"filePath":"web/.env.local"}`),
		sample("read", `{"filePath":"web/.env.example"}`),
		sample("read", `{"filePath":"/etc/hosts"}`),
		sample("read", `{"filePath":"/tmp/opencode/output.txt"}`),
		sample("edit", `{"filePath":"src/config.ts"}`),
		sample("write", `{"filePath":".opencode/plans/cache.md"}`),
		sample("bash", `{"command":"go test ./... && git push"}`),
		sample("grep", `{"pattern":"TODO"}`),
		circling,
		sample("webfetch", `{"url":"https://go.dev/"}`),
		sample("todowrite", `{"todos":[{"content":"tidy up"}]}`),
		sample("question", `{"question":"Which port?"}`),
		sample("plan_enter", ""),
		sample("plan_exit", ""),
	}
}

// An inquiry is what a tool asks in the middle of its work: for a permission of
// another name, about something that it has found itself. It also says what an
// answer for always is to cover, which only the tool can know.
type inquiry struct {
	permission string
	subject    permission.Subject
	always     string
}

// inquiries returns what a call asks for beside its tool.
func (c *call) inquiries(root string) (all []inquiry) {
	if c.again {
		all = append(all, inquiry{"doom_loop", permission.Subject{Text: c.Name}, c.Name})
	}
	if dir := c.folder(root); dir != root && !strings.HasPrefix(dir, root+"/") {
		all = append(all, inquiry{
			"external_directory", permission.Subject{Kind: permission.Path, Text: dir}, path.Join(dir, "*"),
		})
	}
	return all
}

// folder returns the folder in which a call works.
func (c *call) folder(root string) string {
	var in struct {
		FilePath      string `json:"filePath"`
		Path, Workdir string
	}
	if json.Unmarshal(c.Input, &in) != nil {
		return root
	}
	dir := cmp.Or(in.Path, in.Workdir)
	if in.FilePath != "" {
		dir = path.Dir(in.FilePath)
	}
	if path.IsAbs(dir) {
		return path.Clean(dir)
	}
	return path.Join(root, dir)
}

// judge returns the strictest answer to a call and its inquiries, the last of
// equals, without asking anybody.
func (c *call) judge(p *permission.Policy, root string) permission.Decision {
	d := p.Evaluate(c.ToolCall)
	for _, q := range c.inquiries(root) {
		if e := p.EvaluateSubjects(q.permission, q.subject); e.Action <= d.Action {
			d = e
		}
	}
	return d
}
