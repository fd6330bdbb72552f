package main

import (
	"encoding/json"
	"flag"
	"strings"

	"github.com/insomnia-run/permission"
)

// single is what a command that looks at one call needs to know.
type single struct {
	manifest string
	place    place
}

func (o *single) flags(f *flag.FlagSet) {
	f.StringVar(&o.manifest, "manifest", "", "the `FILE` with the [permissions] table (required)")
	o.place.flags(f,
		"the `DIR` that the calls start from (default: the current one)",
		"the `DIR` that ~ stands for (default: the user's home)")
}

// load returns the policy and the call that the arguments of a command name.
func (o *single) load(command string, args []string) (*permission.Policy, permission.ToolCall, error) {
	var call permission.ToolCall
	if len(args) == 3 && args[1] == "--" {
		args = []string{args[0], args[2]}
	}
	switch {
	case o.manifest == "":
		return nil, call, usage(command, "-manifest FILE is required, before TOOL: the TOML file whose rules should decide")
	case len(args) > 2:
		return nil, call, usage(command, "got %d arguments, want TOOL and INPUT: put INPUT in quotes, and flags before TOOL", len(args))
	case len(args) < 2 && command == "check":
		return nil, call, usage(command, "want TOOL and INPUT, or - to read calls from standard input")
	case len(args) < 2:
		return nil, call, usage(command, "want TOOL and INPUT")
	}
	p, err := permission.Load(o.manifest, o.place.options())
	if err != nil {
		return nil, call, err
	}
	call.Name = args[0]
	call.Input, err = parseInput(p, args[0], args[1])
	return p, call, err
}

// parseInput returns the input that the command line means by text. A policy
// that is not enabled knows no tools, and reads no input.
func parseInput(p *permission.Policy, tool, text string) (json.RawMessage, error) {
	if !p.Enabled() || strings.HasPrefix(strings.TrimSpace(text), "{") {
		return json.RawMessage(text), nil
	}
	return p.Input(tool, text)
}
