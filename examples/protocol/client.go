package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// answer is the client: it reads what the runtime sends, and answers requests,
// until the runtime hangs up. One with a window opens a dialog for each
// permission_request, and closes it with the permission_settled of its ID.
func answer(from io.Reader, to io.Writer) error {
	lines, replies := bufio.NewReader(from), json.NewEncoder(to)
	for {
		line, err := lines.ReadBytes('\n') // however long an input of the model's is
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e approve.Event
		if err := json.Unmarshal(line, &e); err != nil {
			fmt.Fprintf(os.Stderr, "client: left out %q: %v\n", line, err)
			continue
		}
		if e.Request == nil {
			continue
		}
		reply, ok := decide(*e.Request)
		if !ok {
			continue
		}
		params, err := json.Marshal(reply)
		if err != nil {
			return err
		}
		if err := replies.Encode(method{methodReply, params}); err != nil {
			return err
		}
	}
}

// decide is the person: they know what they want of some requests, and think
// about the others for longer than anybody waits.
func decide(r permission.Request) (reply permission.Reply, ok bool) {
	reply.ID = r.ID
	for _, s := range r.Subjects {
		switch r.Call.Name + " " + s.Text {
		case "write notes/plan.md":
			reply.Answer = permission.Once
		case "write public/index.md":
			reply.Answer = permission.Always
		case "remove public/index.md":
			reply.Answer, reply.Message = permission.Reject, "people have the link: write another page over it"
		default:
			return permission.Reply{}, false
		}
	}
	return reply, true
}
