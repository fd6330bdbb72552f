package approve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission"
)

// maxTries is how many lines may be no answer. Something that is no person may
// be typing.
const maxTries = 5

// ask asks about r, until there is an answer or ctx ends, which it says.
func (c *console) ask(ctx context.Context, r permission.Request) (permission.Reply, error) {
	reply, err := c.converse(ctx, r)
	if err == nil || ctx.Err() == nil {
		return reply, err
	}
	c.takeLeave(ctx)
	return permission.Reply{}, ctx.Err()
}

// converse asks about r until a line is an answer or too many were none.
func (c *console) converse(ctx context.Context, r permission.Request) (permission.Reply, error) {
	always := len(r.Always) > 0
	question := "Run it? [y/n] "
	if always {
		question = "Run it? [y/a/n] "
	}
	text := show(r, columns(c.rw))
	for range maxTries {
		if err := c.write(ctx, text); err != nil {
			return permission.Reply{}, err
		}
		// Only now is the request to be seen, and what was typed before the
		// question is for something else. So is the rest of a pasted text.
		if err := c.discard(ctx); err != nil {
			return permission.Reply{}, err
		}
		if err := c.write(ctx, question); err != nil {
			return permission.Reply{}, err
		}
		line, err := c.line(ctx)
		if err != nil {
			return permission.Reply{}, err
		}
		reply, problem := parse(line, always)
		if problem == "" {
			reply.ID = r.ID
			return reply, nil
		}
		text = problem + "\n"
	}
	if err := c.write(ctx, "That is no answer. It is not run.\n"); err != nil {
		return permission.Reply{}, err
	}
	return permission.Reply{}, fmt.Errorf("approve: %d lines in a row were no answer", maxTries)
}

// takeLeave ends a prompt whose ctx has ended. What was typed by now was for
// nothing else.
func (c *console) takeLeave(ctx context.Context) {
	if c.writing != nil {
		return // the terminal takes nothing
	}
	text := "\nNo longer needed.\n"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		text = "\nTimed out: it is not run.\n"
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	flushInput(c.rw)
	_ = c.write(ctx, text) // that ctx has ended counts for more
}

// parse reads an answer, or says what is wrong with it. Nothing but the whole
// word agrees: "yes, but not now" does not.
func parse(line string, always bool) (reply permission.Reply, problem string) {
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd"))
	word, rest := line, ""
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		word, rest = line[:i], strings.TrimSpace(line[i:])
	}
	switch strings.ToLower(strings.TrimRight(word, ",.:;!")) { // "no, use git"
	case "n", "no", "reject":
		return permission.Reply{Answer: permission.Reject, Message: rest}, ""
	}
	switch strings.ToLower(line) {
	case "y", "yes", "once":
		return permission.Reply{Answer: permission.Once}, ""
	case "a", "always":
		if always {
			return permission.Reply{Answer: permission.Always}, ""
		}
		return permission.Reply{}, "Always cannot be said to this. Type y or n."
	}
	if always {
		return permission.Reply{}, "Type y, a or n, and Enter."
	}
	return permission.Reply{}, "Type y or n, and Enter."
}
