package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/anthropics/anthropic-sdk-go/v2"
)

const maxTurns = 20

// An agent has one conversation with a model.
type agent struct {
	client anthropic.Client
	model  string
	settle func(context.Context, *anthropic.Message) (anthropic.MessageParam, bool)
	out    io.Writer // for the transcript
}

// run goes on until the model calls no tool any more. A refused call ends
// nothing: the model reads why, and takes another way.
func (a *agent) run(ctx context.Context, task string) error {
	a.print("user: %s\n", task)
	params := anthropic.MessageNewParams{
		Model:     anthropic.Model(a.model),
		MaxTokens: 4096,
		Tools:     definitions(),
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(task))},
	}
	for range maxTurns {
		message, err := a.client.Messages.New(ctx, params)
		if err != nil {
			return err
		}
		a.show(message)
		params.Messages = append(params.Messages, message.ToParam())
		results, ok := a.settle(ctx, message)
		if !ok {
			return nil
		}
		a.showResults(results)
		params.Messages = append(params.Messages, results)
	}
	return errors.New("the model does not come to an end")
}

// show prints what the model says, and which tools it calls.
func (a *agent) show(m *anthropic.Message) {
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			a.print("\nassistant: %s\n", b.Text)
		case "tool_use":
			a.print("  %s %s %s\n", b.ID, b.Name, b.Input)
		}
	}
}

// showResults prints what the model gets to read.
func (a *agent) showResults(m anthropic.MessageParam) {
	for _, b := range m.OfUser.Content {
		r := b.OfToolResult
		word, text := "ok", ""
		if r.IsError.Value {
			word = "error"
		}
		for _, part := range r.Content {
			if part.OfText != nil {
				text += part.OfText.Text
			}
		}
		a.print("  %s %s: %s\n", r.ToolUseID, word, strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n      "))
	}
}

// print prints what people can see of a text: what models and files hold may
// not steer the terminal.
func (a *agent) print(format string, args ...any) {
	io.WriteString(a.out, strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, fmt.Sprintf(format, args...)))
}
