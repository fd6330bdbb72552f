package main

import "github.com/insomnia-run/permission"

const (
	deny  = permission.Deny
	ask   = permission.Ask
	allow = permission.Allow
)

// defaults are below every role. They let nearly everything in, and then take
// some of it back.
func defaults() ruleset {
	return ruleset{"defaults", []rule{
		{"*", "*", allow},
		{"doom_loop", "*", ask},
		{"external_directory", "*", ask},
		{"external_directory", "/tmp/opencode/*", allow},
		{"external_directory", "~/.config/opencode/skills/*", allow},
		{"question", "*", deny},
		{"plan_enter", "*", deny},
		{"plan_exit", "*", deny},
		{"repo_clone", "*", deny},
		{"repo_overview", "*", deny},
		{"read", "*.env", ask},
		{"read", "*.env.*", ask},
		{"read", "*.env.example", allow}, // the later rule, not the longer one
	}}
}

// roles are what an agent can be started as.
func roles() []ruleset {
	return []ruleset{
		{"build", []rule{
			{"question", "*", allow},
			{"plan_enter", "*", allow},
		}},
		{"plan", []rule{ // nothing but its plan changes
			{"question", "*", allow},
			{"plan_exit", "*", allow},
			{"external_directory", "~/.local/share/opencode/plans/*", allow},
			{"edit", "*", deny},
			{"edit", ".opencode/plans/*.md", allow},
			{"edit", "~/.local/share/opencode/plans/*.md", allow},
		}},
		// What is denied here is denied whatever the defaults say. So is what
		// they ask about: this role reads .env, unless a rule below says no.
		{"explore", []rule{
			{"*", "*", deny},
			{"grep", "*", allow},
			{"glob", "*", allow},
			{"list", "*", allow},
			{"bash", "*", allow},
			{"webfetch", "*", allow},
			{"websearch", "*", allow},
			{"read", "*", allow},
			{"external_directory", "*", ask},
			{"external_directory", "/tmp/opencode/*", allow},
			{"external_directory", "~/.config/opencode/skills/*", allow},
		}},
	}
}

// session has the rules of one session. They go over the role that it runs in,
// and over those of the user, which go over the role as well.
func session() ruleset {
	return ruleset{"session", []rule{
		{"bash", "*", ask},
		{"bash", "go test *", allow},
		{"read", "*.env", deny},
		{"edit", "vendor/*", deny},
	}}
}
