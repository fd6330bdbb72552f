package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/insomnia-run/permission"
)

// A toolbox is the tools of one work folder. The scope of those for files is
// the folder: they are opened through an os.Root, which follows no link to the
// outside. The policy above says what may be done inside; it reads names and
// opens nothing.
//
// The shell has no scope: what holds it is the policy alone.
type toolbox struct {
	dir  string
	root *os.Root // of dir
}

// An input is what the tools here take, each some of it.
type input struct {
	Command string `json:"command"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

// run runs a call that may run.
func (t *toolbox) run(ctx context.Context, c permission.ToolCall) anthropic.ToolResultBlockParam {
	text, err := t.dispatch(ctx, c)
	if err != nil {
		text += err.Error()
	}
	return *anthropic.NewToolResultBlock(c.ID, text, err != nil).OfToolResult
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
	case "read_file":
		data, err := t.root.ReadFile(file)
		return string(data), err
	case "write_file":
		if err := t.root.WriteFile(file, []byte(in.Content), 0o644); err != nil {
			return "", err
		}
		return fmt.Sprintf("wrote %d bytes", len(in.Content)), nil
	}
	return "", fmt.Errorf("there is no tool %q", c.Name)
}

// bash has a shell of its own for each command, which starts in the folder
// again, and no environment but where programs are: the key is not for it.
func (t *toolbox) bash(ctx context.Context, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-c", command)
	cmd.Dir = t.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.WaitDelay = time.Second // for what the command leaves running
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// definitions tell the model of the tools.
func definitions() []anthropic.ToolUnionParam {
	tool := func(name, does string, arguments ...string) anthropic.ToolUnionParam {
		properties := make(map[string]any)
		for _, a := range arguments {
			properties[a] = map[string]string{"type": "string"}
		}
		return anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: name, Description: anthropic.String(does),
			InputSchema: anthropic.ToolInputSchemaParam{Properties: properties, Required: arguments},
		}}
	}
	return []anthropic.ToolUnionParam{
		tool("read_file", "Returns the content of a file, whose path is relative to the work folder.", "path"),
		tool("write_file", "Writes a file, whose path is relative to the work folder.", "path", "content"),
		tool("bash", "Runs a command in the work folder.", "command"),
	}
}
