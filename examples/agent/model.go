package main

import (
	"encoding/json"
	"fmt"
)

// A step is what the model does at one point: it says something, calls tools,
// and goes on at one step if all of them worked, at another if one did not.
type step struct {
	say         string
	calls       []use
	then, other string
}

// A use is a tool call without its ID.
type use struct{ tool, input string }

// A scripted model plays a script instead of thinking. It reads its results as
// a real one does: is_error sends it another way.
type scripted struct {
	steps map[string]step
	at    string // the step that was played last
	calls int    // so far, which makes the IDs
}

func (s *scripted) next(history []message) message {
	last := s.steps[s.at]
	switch {
	case s.at == "":
		s.at = "start"
	case history[len(history)-1].failed() && last.other != "":
		s.at = last.other
	default:
		s.at = last.then
	}
	m := message{Role: "assistant", Content: []block{{Type: "text", Text: s.steps[s.at].say}}}
	for _, u := range s.steps[s.at].calls {
		s.calls++
		m.Content = append(m.Content, block{
			Type: "tool_use", ID: fmt.Sprintf("toolu_%02d", s.calls),
			Name: u.tool, Input: json.RawMessage(u.input),
		})
	}
	return m
}

// script is the conversation.
func script() map[string]step {
	return map[string]step{
		"start": {
			say:   "I write the plan.",
			calls: []use{{"write", `{"path": "notes/plan.md", "content": "# Plan\n\n1. tidy up\n2. publish\n"}`}},
			then:  "check",
		},
		"check": {
			say: "I read it back, and count its lines.",
			calls: []use{
				{"read", `{"path": "notes/plan.md"}`},
				{"bash", `{"command": "wc notes/plan.md"}`},
			},
			then: "tidy",
		},
		"tidy": {
			say:   "I remove the build folder.",
			calls: []use{{"bash", `{"command": "rm -rf build"}`}},
			then:  "old", other: "tidy otherwise",
		},
		"tidy otherwise": {
			say:   "I must not. I leave a note about it instead.",
			calls: []use{{"write", `{"path": "notes/todo.md", "content": "Please remove the folder build.\n"}`}},
			then:  "old",
		},
		"old": {
			say:   "I remove the old notes, that one file.",
			calls: []use{{"bash", `{"command": "rm notes/old.md"}`}},
			then:  "publish", other: "old otherwise",
		},
		"old otherwise": {
			say:   "Then I mark them as old.",
			calls: []use{{"edit", `{"path": "notes/old.md", "old": "# Notes", "new": "# Notes (old, see plan.md)"}`}},
			then:  "publish",
		},
		"publish": {
			say: "I publish the plan, and look at what is there already.",
			calls: []use{
				{"write", `{"path": "public/index.md", "content": "Next: we tidy up.\n"}`},
				{"ls", `{"path": "."}`},
			},
			then: "link", other: "publish otherwise",
		},
		"publish otherwise": {
			say:   "It was not published. I keep the text as a draft.",
			calls: []use{{"write", `{"path": "notes/draft.md", "content": "Next: we tidy up.\n"}`}},
			then:  "link",
		},
		"link": {
			say:   "There is a folder named shared. I look into it.",
			calls: []use{{"read", `{"path": "shared/secret.txt"}`}},
			then:  "end", other: "outside",
		},
		"outside": {say: "It is a link that leads out of my folder. A rule allows its name; the tools do not follow it. I am done."},
		"end":     {say: "I am done."},
	}
}
