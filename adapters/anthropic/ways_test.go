package permissionanthropic_test

import (
	"context"
	"iter"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
)

// A loop is a conversation of a host that runs the calls of messages itself. A
// cancelled turn ends with its results in the history, with which the next one
// goes on.
type loop func(ctx context.Context, client anthropic.Client, h *permission.Hook, o *permissionanthropic.Options, tool permission.ToolFunc) error

func loops() map[string]loop {
	return map[string]loop{
		"stable":           stableLoop(stableOnce),
		"stable streaming": stableLoop(stableStream),
		"beta":             betaLoop(betaOnce),
		"beta streaming":   betaLoop(betaStream),
	}
}

func stableLoop(next func(context.Context, anthropic.Client, anthropic.MessageNewParams) (*anthropic.Message, error)) loop {
	return func(ctx context.Context, client anthropic.Client, h *permission.Hook, o *permissionanthropic.Options, tool permission.ToolFunc) error {
		settle := permissionanthropic.Settle(h, stableTool(tool), o)
		params := stableParams([]anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))})
		for {
			message, err := next(context.WithoutCancel(ctx), client, params)
			if err != nil {
				return err
			}
			params.Messages = append(params.Messages, message.ToParam())
			results, ok := settle(ctx, message)
			if !ok {
				return nil
			}
			params.Messages = append(params.Messages, results)
		}
	}
}

func betaLoop(next func(context.Context, anthropic.Client, anthropic.BetaMessageNewParams) (*anthropic.BetaMessage, error)) loop {
	return func(ctx context.Context, client anthropic.Client, h *permission.Hook, o *permissionanthropic.Options, tool permission.ToolFunc) error {
		settle := permissionanthropic.SettleBeta(h, betaTool(tool), o)
		params := betaParams([]anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go"))})
		for {
			message, err := next(context.WithoutCancel(ctx), client, params)
			if err != nil {
				return err
			}
			params.Messages = append(params.Messages, message.ToParam())
			results, ok := settle(ctx, message)
			if !ok {
				return nil
			}
			params.Messages = append(params.Messages, results)
		}
	}
}

func stableOnce(ctx context.Context, client anthropic.Client, p anthropic.MessageNewParams) (*anthropic.Message, error) {
	return client.Messages.New(ctx, p)
}

func stableStream(ctx context.Context, client anthropic.Client, p anthropic.MessageNewParams) (*anthropic.Message, error) {
	stream := client.Messages.NewStreaming(ctx, p)
	defer stream.Close()
	var message anthropic.Message
	for stream.Next() {
		if err := message.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &message, stream.Err()
}

func betaOnce(ctx context.Context, client anthropic.Client, p anthropic.BetaMessageNewParams) (*anthropic.BetaMessage, error) {
	return client.Beta.Messages.New(ctx, p)
}

func betaStream(ctx context.Context, client anthropic.Client, p anthropic.BetaMessageNewParams) (*anthropic.BetaMessage, error) {
	stream := client.Beta.Messages.NewStreaming(ctx, p)
	defer stream.Close()
	var message anthropic.BetaMessage
	for stream.Next() {
		if err := message.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &message, stream.Err()
}

// A runner is a tool runner, as far as its kinds have anything in common.
type runner interface {
	first(context.Context) error // up to the first message
	rest(context.Context) error  // from there to the end
	Messages() []anthropic.BetaMessageParam
	LastMessage() *anthropic.BetaMessage
	AddTools(...anthropic.BetaTool)
}

type starter func(anthropic.Client, []anthropic.BetaTool) runner

// runners are all ways in which the SDK runs tools by itself in a conversation
// of the Messages API: what starts a runner, and what has it go on.
func runners() map[string]starter {
	threaded := anthropic.BetaToolRunnerParams{BetaMessageNewParams: betaParams([]anthropic.BetaMessageParam{
		anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go")),
	})}
	whole := threaded
	whole.DisableThread = true
	own := anthropic.BetaMessageThreadCreateParams{Model: "fake", MaxTokens: 1024, Messages: threaded.Messages}

	plain := func(p anthropic.BetaToolRunnerParams, rest func(*anthropic.BetaToolRunner, context.Context) error) starter {
		return func(c anthropic.Client, tools []anthropic.BetaTool) runner {
			return plainRunner{c.Beta.Messages.NewToolRunner(tools, p), rest}
		}
	}
	streaming := func(p anthropic.BetaToolRunnerParams, rest func(*anthropic.BetaToolRunnerStreaming, context.Context) error) starter {
		return func(c anthropic.Client, tools []anthropic.BetaTool) runner {
			return streamRunner{c.Beta.Messages.NewToolRunnerStreaming(tools, p), rest}
		}
	}
	return map[string]starter{
		"RunToCompletion":            plain(threaded, toCompletion),
		"RunToCompletion, no thread": plain(whole, toCompletion),
		"All":                        plain(threaded, all),
		"NextMessage":                plain(threaded, nextMessages),
		"AllStreaming":               streaming(threaded, allStreaming),
		"AllStreaming, no thread":    streaming(whole, allStreaming),
		"NextStreaming":              streaming(threaded, nextStreaming),
		"on a thread": func(c anthropic.Client, tools []anthropic.BetaTool) runner {
			return plainRunner{c.Beta.Messages.NewThread(own).NewToolRunner(tools), toCompletion}
		},
		"on a thread, streaming": func(c anthropic.Client, tools []anthropic.BetaTool) runner {
			return streamRunner{c.Beta.Messages.NewThread(own).NewToolRunnerStreaming(tools), allStreaming}
		},
	}
}

type plainRunner struct {
	*anthropic.BetaToolRunner
	onwards func(*anthropic.BetaToolRunner, context.Context) error
}

func (r plainRunner) first(ctx context.Context) error {
	_, err := r.NextMessage(ctx)
	return err
}

func (r plainRunner) rest(ctx context.Context) error { return r.onwards(r.BetaToolRunner, ctx) }

func toCompletion(r *anthropic.BetaToolRunner, ctx context.Context) error {
	_, err := r.RunToCompletion(ctx)
	return err
}

func all(r *anthropic.BetaToolRunner, ctx context.Context) error {
	for _, err := range r.All(ctx) {
		if err != nil {
			return err
		}
	}
	return nil
}

func nextMessages(r *anthropic.BetaToolRunner, ctx context.Context) error {
	for !r.IsCompleted() {
		if _, err := r.NextMessage(ctx); err != nil {
			return err
		}
	}
	return nil
}

type streamRunner struct {
	*anthropic.BetaToolRunnerStreaming
	onwards func(*anthropic.BetaToolRunnerStreaming, context.Context) error
}

func (r streamRunner) first(ctx context.Context) error { return drain(r.NextStreaming(ctx)) }

func (r streamRunner) rest(ctx context.Context) error {
	return r.onwards(r.BetaToolRunnerStreaming, ctx)
}

func allStreaming(r *anthropic.BetaToolRunnerStreaming, ctx context.Context) error {
	for events, err := range r.AllStreaming(ctx) {
		if err != nil {
			return err
		}
		if err := drain(events); err != nil {
			return err
		}
	}
	return nil
}

func nextStreaming(r *anthropic.BetaToolRunnerStreaming, ctx context.Context) error {
	for !r.IsCompleted() {
		if err := drain(r.NextStreaming(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func drain(events iter.Seq2[anthropic.BetaRawMessageStreamEventUnion, error]) error {
	for _, err := range events {
		if err != nil {
			return err
		}
	}
	return nil
}
