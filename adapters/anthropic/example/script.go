package main

import "github.com/insomnia-run/permission/adapters/anthropic/internal/fake"

// script is what the model does where a script plays it, with refusals that
// send it another way.
func script() []fake.Reply {
	return []fake.Reply{
		{Content: []fake.Block{
			fake.Text("I look at what is there."),
			fake.ToolUse("toolu_01", "read_file", `{"path": "main.go"}`),
			fake.ToolUse("toolu_02", "read_file", `{"path": "docs/../.env"}`),
			fake.ToolUse("toolu_03", "bash", `{"command": "wc -l main.go && rm main.go"}`),
		}},
		{Content: []fake.Block{
			fake.Text("The secrets and the rm are not for me. I write the file."),
			fake.ToolUse("toolu_04", "write_file", `{"path": "main.go", "content": "package main\n\nfunc main() { println(\"hello, world\") }\n"}`),
		}},
		{Content: []fake.Block{
			fake.Text("I check it, and look into the folder shared."),
			fake.ToolUse("toolu_05", "bash", `{"command": "wc -l main.go"}`),
			fake.ToolUse("toolu_06", "read_file", `{"path": "shared/key.txt"}`),
		}},
		{Content: []fake.Block{
			fake.Text("A rule allows that name, but it is a link that leads out of the scope. I publish."),
			fake.ToolUse("toolu_07", "bash", `{"command": "echo pushed main.go"}`),
			fake.ToolUse("toolu_08", "bash", `{"command": "ls main.go", "Command": "rm main.go"}`),
		}},
		{Content: []fake.Block{fake.Text("I am done.")}},
	}
}
