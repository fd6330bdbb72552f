package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/insomnia-run/permission"
)

// A toolbox is the tools of one work folder. Its scope is the folder: files
// are opened through an os.Root, which follows no link to the outside. The
// policy above says what may be done inside; it reads names and opens nothing.
//
// The shell has no scope. A command runs with all the rights of this process,
// and what holds it is the policy alone.
type toolbox struct {
	dir  string
	root *os.Root // of dir
}

// An input is what the tools here take, each some of it.
type input struct {
	Command string `json:"command"`
	Path    string `json:"path"`
	Content string `json:"content"`
	Old     string `json:"old"`
	New     string `json:"new"`
}

// run runs a call that may run. A tool that fails says so in its result.
func (t *toolbox) run(ctx context.Context, c permission.ToolCall) permission.ToolResult {
	text, err := t.dispatch(ctx, c)
	if err != nil {
		return permission.ToolResult{Content: text + err.Error(), IsError: true}
	}
	return permission.ToolResult{Content: text}
}

func (t *toolbox) dispatch(ctx context.Context, c permission.ToolCall) (string, error) {
	var in input
	d := json.NewDecoder(bytes.NewReader(c.Input))
	d.DisallowUnknownFields() // or a workdir would be judged and then not minded
	if err := d.Decode(&in); err != nil {
		return "", err
	}
	// The policy has judged the clean path. With links, another spelling can
	// be another file.
	file := path.Clean(in.Path)
	switch c.Name {
	case "bash":
		return t.bash(ctx, in.Command)
	case "read":
		data, err := t.root.ReadFile(file)
		return string(data), err
	case "write":
		return t.write(file, in.Content)
	case "edit":
		return t.edit(file, in.Old, in.New)
	case "ls":
		return t.ls(file)
	}
	return "", fmt.Errorf("there is no tool %q", c.Name)
}

func (t *toolbox) bash(ctx context.Context, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = t.dir
	cmd.WaitDelay = time.Second // for what the command leaves running
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (t *toolbox) write(file, content string) (string, error) {
	if err := t.root.MkdirAll(path.Dir(file), 0o755); err != nil {
		return "", err
	}
	if err := t.root.WriteFile(file, []byte(content), 0o644); err != nil {
		return "", err
	}
	return fmt.Sprintf("wrote %d bytes", len(content)), nil
}

func (t *toolbox) edit(file, old, new string) (string, error) {
	data, err := t.root.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(data, []byte(old)); old == "" || n != 1 {
		return "", fmt.Errorf("the old text stands there %d times: want once", n)
	}
	return t.write(file, strings.Replace(string(data), old, new, 1))
}

func (t *toolbox) ls(dir string) (string, error) {
	entries, err := fs.ReadDir(t.root.FS(), dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, "\n"), err
}
