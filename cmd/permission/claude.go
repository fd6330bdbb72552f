package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A dialect is how a host writes its events and reads the answers.
type dialect struct {
	// read returns the call of an event; its Dir is where the host is.
	read func(event []byte) (permission.ToolCall, error)
	// answer returns what is printed for an action, as a manifest calls it.
	answer func(action, reason string) string
}

func dialects() map[string]dialect {
	return map[string]dialect{"claude": {read: claudeEvent, answer: claudeAnswer}}
}

const preToolUse = "PreToolUse"

// claudeEvent reads a PreToolUse event of Claude Code, or one of Crush, which
// calls the name of the event otherwise. What a host has added to it since is
// passed over; what is needed must be there. Errors hold nothing of the call.
func claudeEvent(data []byte) (c permission.ToolCall, err error) {
	if strings.TrimSpace(string(data)) == "" {
		return c, errors.New("no event on standard input")
	}
	texts, err := subject.Members(data, "hook_event_name", "event", "tool_use_id", "session_id", "tool_name", "cwd")
	if err != nil {
		return c, fmt.Errorf("the event cannot be read: %s", strings.Replace(err.Error(), "the input", "it", 1))
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return c, errors.New("the event cannot be read: it is not a JSON object")
	}
	event, named := texts["hook_event_name"]
	if !named {
		event = texts["event"]
	}
	c = permission.ToolCall{
		ID: texts["tool_use_id"], Session: texts["session_id"],
		Name: texts["tool_name"], Dir: texts["cwd"], Input: members["tool_input"],
	}
	switch {
	case event == "":
		return c, errors.New("the event has no hook_event_name: it is not one of Claude Code")
	case event != preToolUse:
		return c, fmt.Errorf("the event is %s: put this hook under PreToolUse", visible.Quote(event))
	case c.Name == "":
		return c, errors.New("the event has no tool_name")
	case !strings.HasPrefix(string(c.Input), "{"):
		return c, errors.New("the event's tool_input is no JSON object")
	case !filepath.IsAbs(c.Dir):
		return c, errors.New("the event's cwd is no absolute path")
	}
	return c, nil
}

// claudeAnswer returns the answer to a PreToolUse event.
func claudeAnswer(action, reason string) string {
	type output struct {
		Event  string `json:"hookEventName"`
		Action string `json:"permissionDecision"`
		Reason string `json:"permissionDecisionReason"`
	}
	text, err := json.Marshal(map[string]output{"hookSpecificOutput": {preToolUse, action, reason}})
	if err != nil {
		panic(err) // of three strings
	}
	return string(text) + "\n"
}

// config prints the entry for a host's settings. It is not the entry itself.
func (h *hook) config(s stdio) (int, error) {
	if h.printConfig != "claude" {
		return exitBlocked, usage("hook", "-print-config %s is not known: want claude", h.printConfig)
	}
	if err := h.checkDialect(); err != nil {
		return exitBlocked, err
	}
	type handler struct {
		Type      string `json:"type"`
		Command   string `json:"command"`
		Timeout   int    `json:"timeout"`
		OnFailure string `json:"onFailure"`
	}
	type group struct {
		Matcher string    `json:"matcher"`
		Hooks   []handler `json:"hooks"`
	}
	line, err := h.line()
	if err != nil {
		return exitBlocked, err
	}
	if err := unjudged(s.in); err != nil {
		return exitBlocked, err
	}
	h.remark(s.err)
	longer := h.budget + 10*time.Second
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return 0, e.Encode(map[string]map[string][]group{"hooks": {preToolUse: {{
		Matcher: "*",
		Hooks:   []handler{{"command", line, int(longer.Round(time.Second).Seconds()), "block"}},
	}}}})
}

// remark says on w that the manifest of the entry is not there, as where a shell
// has left a ~ alone: every call would be blocked.
func (h *hook) remark(w io.Writer) {
	if h.manifest == "" {
		return
	}
	if file, err := filepath.Abs(h.manifest); err == nil {
		if _, err := os.Stat(file); err != nil {
			fmt.Fprintf(w, "permission hook: there is no %s yet: until it is written, every call is blocked\n", visible.Text(file))
		}
	}
}

// line returns the command line for a host's settings, with the flags of h.
func (h *hook) line() (string, error) {
	const project = `"$CLAUDE_PROJECT_DIR"`
	words := []string{"permission", "hook", "-dialect", "claude", "-manifest", project + "/agent.toml", "-root", project}
	if h.manifest != "" {
		manifest, err := filepath.Abs(h.manifest)
		if err != nil {
			return "", err
		}
		words[5] = quoted(manifest)
	}
	if h.place.root != "" {
		words[7] = quoted(h.place.root)
	}
	if h.place.home != "" {
		words = append(words, "-home", quoted(h.place.home))
	}
	if shell := h.shell(); shell != "" {
		words = append(words, "-shell", shell)
	}
	if h.preapprove {
		words = append(words, "-preapprove")
	}
	if h.refuseAsks {
		words = append(words, "-refuse-asks")
	}
	if h.budget != defaultBudget {
		words = append(words, "-timeout", h.budget.String())
	}
	return strings.Join(words, " "), nil
}

// shell returns the shell of the entry: the one that is named, or the user's own
// if that is zsh, as the host then runs command lines in it.
func (h *hook) shell() string {
	if h.place.shell == "" && filepath.Base(os.Getenv("SHELL")) == "zsh" {
		return "zsh"
	}
	return h.place.shell
}

// quoted returns s as one word of a shell.
func quoted(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+:", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
