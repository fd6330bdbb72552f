package main

import (
	"encoding/json"
	"path"
	"slices"
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

// inquiries returns what a call asks for beside its tool. What always covers is
// quoted: the model wrote it, and may have written a wildcard.
func (c *call) inquiries(o *permission.Options) (all []inquiry) {
	if c.again {
		all = append(all, inquiry{"doom_loop", permission.Subject{Text: c.Name}, permission.Quote(c.Name)})
	}
	for _, dir := range c.folders(o) {
		if dir == o.Root || strings.HasPrefix(dir, o.Root+"/") {
			continue
		}
		all = append(all, inquiry{
			"external_directory", permission.Subject{Kind: permission.Path, Text: dir}, path.Join(permission.Quote(dir), "*"),
		})
	}
	return all
}

// The arguments that name a file and a folder, as tools of several runtimes
// spell them.
var (
	fileNames   = []string{"filePath", "file_path", "absolutePath", "absolute_path", "notebook_path"}
	folderNames = []string{
		"path", "dirPath", "dir_path", "directory", "workdir", "cwd", "chdir", "workingDirectory", "working_directory",
	}
)

// folders returns the folders in which a call works, each once. The example
// leaves out where links and file: URLs lead, lists of edits, patches, and what
// a command line touches by itself.
func (c *call) folders(o *permission.Options) (all []string) {
	var in map[string]any
	if json.Unmarshal(c.Input, &in) != nil {
		return nil
	}
	add := func(dir string) {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	for _, name := range fileNames {
		if file, ok := in[name].(string); ok && file != "" {
			add(path.Dir(absolute(file, o)))
		}
	}
	for _, name := range folderNames {
		if dir, ok := in[name].(string); ok {
			add(absolute(dir, o))
		}
	}
	return all
}

// absolute returns the clean path of what a call names.
func absolute(name string, o *permission.Options) string {
	for _, home := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(name, home); ok && (rest == "" || rest[0] == '/') {
			return path.Join(o.Home, rest)
		}
	}
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(o.Root, name)
}

// judge returns the strictest answer to a call and its inquiries, the last of
// equals, without asking anybody.
func (c *call) judge(p *permission.Policy, o *permission.Options) permission.Decision {
	d := p.Evaluate(c.ToolCall)
	for _, q := range c.inquiries(o) {
		if e := p.EvaluateSubjects(q.permission, q.subject); e.Action <= d.Action {
			d = e
		}
	}
	return d
}
