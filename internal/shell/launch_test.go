package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// What runs the tools of a project: a rule that refuses rm x hears of it, and
// only the runner has to be allowed.
func TestRunners(t *testing.T) {
	for _, runner := range []string{
		"npx", "npx -y", "npx -p foo", "npx --package=foo --", "npx -w web", "npm exec", "npm exec --", "npm --prefix web exec", "npm x -p foo",
		"bunx", "bunx --bun -p foo", "bun x", "bun --cwd d x", "pnpx", "pnpm dlx", "pnpm dlx --package foo", "pnpm exec", "pnpm --filter web exec", "pnpm -r exec", "pnpm exec --resume-from a",
		"yarn dlx", "yarn dlx -p foo", "yarn exec", "yarn --cwd d exec", "lerna exec --", "lerna exec --scope a --", "fnm exec --using 20", "volta run --node 20",
		"uv run", "uv run --with foo", "uv --directory d run --frozen", "uvx", "uvx --from foo", "uv tool run", "uv tool run -p 3.12",
		"poetry run", "poetry -C d run", "pipenv run", "pipenv --python 3 run", "pdm run", "pdm run -p d", "rye run", "rye run --pyproject d/p.toml",
		"hatch run", "hatch -e test run", "pipx run", "pipx run --spec foo", "conda run", "conda run -n env --no-capture-output", "mamba run -p d", "micromamba run -n env",
		"bundle exec", "bundle exec --gemfile d/Gemfile", "rbenv exec", "pyenv exec", "nodenv exec", "goenv exec", "asdf exec", "composer exec", "composer -d web exec --",
		"direnv exec d", "mise exec node@20 --", "mise x -C d --", "nix develop -c", "nix develop .#a --command", "nix shell nixpkgs#a -c",
		"dotenv", "dotenv -e .env", "dotenv -e .env --", "dotenv -f .env run", "dotenvx run -f .env --", "op run --env-file=.env --", "doppler run -p a --", "infisical run --env dev --",
		"env-cmd", "env-cmd -f .env", "git bisect run", "git -C d bisect run", "git submodule foreach --recursive", "screen -dmS a", "screen -c f -dm",
	} {
		assert.Equal(t, []string{runner + " rm x", "(rm x)"}, said(config(), runner+" rm x"))
	}
	check(t, []row{
		{`npx vercel@latest deploy`, []string{"npx vercel@latest deploy", "(vercel deploy)"}},
		{`npx @scope/rm@1 x`, []string{"npx @scope/rm@1 x", "(@scope/rm x)"}},
		{`uvx ruff@0.4 check`, []string{"uvx ruff@0.4 check", "(ruff check)"}},
		{`hatch run test:rm x`, []string{"hatch run test:rm x", "(rm x)"}},
		{`cross-env A=1 rm x`, []string{"cross-env A=1 rm x", "(A=1 rm x)"}},
		{`cross-env-shell A=1 'a && rm x'`, []string{"cross-env-shell A=1 a && rm x", "(a)", "(rm x)", "(a)", "(rm x)"}},
		{`npx -c 'rm x'`, []string{"npx -c rm x", "(rm x)", "(rm x)"}},
		{`npm exec --call='rm x'`, []string{"npm exec --call=rm x", "(rm x)", "(rm x)"}},
		{`mise x -c 'rm x'`, []string{"mise x -c rm x", "(rm x)", "(rm x)"}},
		{`nix-shell -p git --run 'rm x'`, []string{"nix-shell -p git --run rm x", "(rm x)", "(rm x)"}},
		{`nix-shell -I a=b --run 'rm x'`, []string{"nix-shell -I a=b --run rm x", "(rm x)", "(rm x)"}},
		{`pnpm exec -c 'a; rm x'`, []string{"pnpm exec -c a; rm x", "(a)", "(rm x)", "(a)", "(rm x)"}},
		{`npx --new rm x`, []string{"npx --new rm x", "(…)", "(rm x)"}},
		{`uv --new a run rm x`, []string{"uv --new a run rm x", "(…)", "(rm x)"}},
		{`uv run timeout 5 sh -c 'rm x'`, []string{"uv run timeout 5 sh -c rm x", "(timeout 5 sh -c rm x)", "(sh -c rm x)", "(rm x)", "(rm x)"}},
		{`timeout 5 npx rm x`, []string{"(timeout 5 npx rm x)", "npx rm x", "(rm x)"}},
		{`xargs npx rm`, []string{"xargs npx rm", "npx rm…", "(rm…)"}},
		{`npx "$x"`, []string{"npx …", "(…)"}},
		{`npx rm x > y`, []string{"> y", "npx rm x", "(rm x)"}},
	})
	for _, line := range []string{
		`npm test`, `npm run x -- --watch`, `npm --if-present run build`, `pnpm --filter web dev`, `yarn --frozen-lockfile`, `bun test`, `uv pip install -r f`, `uv sync --frozen`, `poetry install`, `bundle install`,
		`conda install -n a b`, `nix build .#a`, `nix develop`, `mise use node@20`, `direnv allow`, `op item get a`, `git bisect start`, `git submodule update --init`, `pipx install a`, `npm "$x"`,
	} {
		assert.Len(t, config().Read(line), 1, line)
	}
}

// What a runner runs does not excuse the same elsewhere, and what is too much to
// look at needs a rule.
func TestHeardOnlyThere(t *testing.T) {
	check(t, []row{
		{`npx -c 'a'; bash -c 'a'`, []string{"npx -c a", "(a)", "(a)", "(bash -c a)", "a"}},
		{`cd d; npx -c 'a'; bash -c 'a'`, []string{"(cd d)", "npx -c a", "(a)", "(a)", "(bash -c a)", "a"}},
		{`npx sh -c "$x"; sh -c "$x"`, []string{"npx sh -c …", "(sh -c …)", "(…)", "sh -c …", "…"}},
		{`npx -c 'a > f'`, []string{"npx -c a > f", "> …", "(a)", "> …", "(a)"}},
	})
	loop := "for v in " + strings.Repeat("x ", 60) + "; do "
	for _, code := range []string{strings.Repeat("a;", 5000), loop + loop + loop + ">/dev/null; done; done; done"} {
		parts := config().Read("npx -c '" + code + "'; rm x")
		assert.True(t, slices.ContainsFunc(parts, isHole))
	}
}

// What runs a command in another place, or with other rights: it needs a rule of
// its own.
func TestSessions(t *testing.T) {
	for _, wrapper := range []string{
		"tmux new -d", "tmux new-session -d -s a -c d", "tmux -L s neww -n a", "tmux splitw -l 20", "tmux split-window -h", "tmux respawn-pane -k -t a", "tmux run -b", "tmux popup -w 80", "tmux pipe-pane -t a",
		"sg docker", "sshpass -p a", "sshpass -f f -v", "gdb --args", "gdb -q -ex run --args", "lldb --", "coresched new -t pid --", "uclampset -m 5", "logsave f", "logsave -a f",
		"xterm -e", "xterm -title a -e", "konsole -e", "alacritty -e", "gnome-terminal --", "gnome-terminal --title a --", "dbus-run-session", "dbus-run-session --config-file f --", "runcon a",
		"perf stat", "perf stat -e cycles -r 5", "perf record -g -o f --", "perf trace -e open", "perf mem record", "perf sched record -a", "entr", "entr -rc", "watchexec", "watchexec -e go,mod -r --",
	} {
		assert.Equal(t, []string{wrapper + " rm x", "rm x"}, said(config(), wrapper+" rm x"))
	}
	check(t, []row{
		{`tmux new -d 'a; rm x'`, []string{"tmux new -d a; rm x", "a", "rm x", "a", "rm x"}},
		{`tmux new -d \; splitw 'rm x' \; attach`, []string{"tmux new -d", "tmux splitw rm x", "rm x", "tmux attach"}},
		{`tmux send-keys -t a 'rm x' Enter`, []string{"tmux send-keys -t a rm x Enter", "(rm x)", "(rm x)", "(rm x Enter)"}},
		{`tmux --new a new 'rm x'`, []string{"tmux --new a new rm x", "…", "rm x"}},
		{`sg docker -c 'rm x'`, []string{"sg docker -c rm x", "rm x", "rm x"}},
		{`newgrp docker <<< 'rm x'`, []string{"newgrp docker", "rm x", "rm x"}},
		{`ssh h < f`, []string{"< f", "ssh h", "…"}},
		{"su bob <<'E'\nrm x\nE\n", []string{"su bob", "rm x", "rm x"}},
		{`capsh --user=a -- -c 'rm x'`, []string{"capsh --user=a -- -c rm x", "(bash -c rm x)", "rm x"}},
		{`split -l 9 --filter='rm x' f`, []string{"split -l 9 --filter=rm x f", "rm x", "rm x"}},
		{`split --new --filter 'rm x' f`, []string{"split --new --filter rm x f", "…", "rm x", "rm x"}},
		{`hyperfine -w 3 'rm x' 'a'`, []string{"hyperfine -w 3 rm x a", "rm x", "rm x", "a", "a"}},
		{`hyperfine a --prepare 'rm x'`, []string{"hyperfine a --prepare rm x", "a", "a", "rm x", "rm x"}},
		{`hyperfine -L v 1,2 'rm {v}'`, []string{"hyperfine -L v 1,2 rm {v}", "…", "v", "v", "1,2", "1,2", "rm {v}", "rm {v}"}},
		{`concurrently -n a,b a 'rm x'`, []string{"concurrently -n a,b a rm x", "a", "a", "rm x", "rm x"}},
		{`entr -s 'a; rm x'`, []string{"entr -s a; rm x", "a", "rm x", "a", "rm x"}},
		{`watchexec 'a && rm x'`, []string{"watchexec a && rm x", "a", "rm x", "a", "rm x"}},
		{`nodemon -w src --exec 'rm x' app.js`, []string{"nodemon -w src --exec rm x app.js", "rm x", "rm x"}},
		{`vagrant ssh -c 'rm x'`, []string{"vagrant ssh -c rm x", "rm x", "rm x"}},
		{`perf stat --pre 'rm x' a`, []string{"perf stat --pre rm x a", "rm x", "rm x", "a"}},
		{`perf stat --new a`, []string{"perf stat --new a", "…", "a"}},
	})
	for _, line := range []string{
		`tmux ls`, `tmux kill-session -t a`, `tmux new -d -s a`, `tmux capture-pane -p -t a`, `gdb ./a core`, `gdb -batch -ex bt a`, `perf report -i f`, `split -b 1M f out-`, `split -100 f`, `split -d -n l/4 f`,
		`nodemon app.js`, `ssh -N -L 1:a:2 h`, `newgrp docker`, `vagrant up`, `screen -ls`,
	} {
		parts := config().Read(line)
		assert.Len(t, parts, 1, line)
		assert.Equal(t, shell.Command, parts[0].Kind)
	}
}

// tmux takes any start of a command's name that no other has, and has commands
// that hold some of its own.
func TestTmux(t *testing.T) {
	for _, command := range []string{
		"new-s -d", "new-se -d -s a", "split -h", "spl", "new-w", "run-s", "run -b", "pipe -t a", "pipe-p", "respawn-w -k", "popup", "display-po", "neww",
	} {
		assert.Contains(t, said(config(), "tmux "+command+" 'rm x'"), "rm x", command)
	}
	check(t, []row{
		{`tmux new-s -d 'rm x'`, []string{"tmux new-s -d rm x", "rm x"}},
		{`tmux ls\; run 'rm x'`, []string{"tmux ls", "tmux run rm x", "rm x"}},
		{`tmux 'ls;' split 'rm x'`, []string{"tmux ls", "tmux split rm x", "rm x"}},
		{`tmux kill-ser`, []string{"tmux kill-ser"}},
	})
	assert.Contains(t, said(config(), `tmux send -H 72 6d`), "(…)")
	assert.Contains(t, said(config(), `tmux send -X copy-pipe 'rm x'`), "(…)")
	assert.Equal(t, "tmux kill-server", config().Read("tmux -L a \\; kill-ser")[1].Wide[0].String())
	doubted(t,
		`tmux if-shell a 'run "rm x"'`, `tmux if a b`, `tmux if-s a b`, `tmux set-hook -g after-new-window 'run "rm x"'`, `tmux set-h a b`, `tmux bind x run 'rm x'`, `tmux bind-k x a`,
		`tmux confirm-before 'run "rm x"'`, `tmux confirm a`, `tmux command-prompt 'run "rm x"'`, `tmux source-file f`, `tmux so f`, `tmux source f`, `tmux -f f new -d`, `tmux -f f ls`,
		`tmux display-menu a b 'run "rm x"'`, `tmux menu a b c`, `tmux set -g default-command 'rm x'`, `tmux set -g default-c 'rm x'`, `tmux set-option -s 'command-alias[9]' x=run`,
		`tmux set -g status-right '#(rm x)'`, `tmux display -p '#(rm x)'`, `tmux display -p "$x"`, `tmux neww -n '#(rm x)'`, `tmux zoom`, `tmux s x`, `tmux "$x" 'rm x'`, `tmux kill-session $x`,
		`tmux detach -E 'rm x'`, `tmux paste-buffer`, `tmux setenv PATH .`, `tmux ls \; if a b`, `tmux choose-tree 'run "rm x"'`,
	)
	clear(t,
		`tmux`, `tmux -V`, `tmux ls`, `tmux -L s ls`, `tmux new -d -s a`, `tmux new-session -d -s a 'npm start'`, `tmux new-s -d -s "$n"`, `tmux kill-session -t "$n"`, `tmux kill-ses -t a`,
		`tmux has-session -t a 2>/dev/null || tmux new -d -s a`, `tmux attach -t a`, `tmux a -t a`, `tmux capture-pane -p -t a | tail -20`, `tmux send-keys -t a 'npm test' Enter`,
		`tmux list-windows -F '#{window_name}'`, `tmux display -p '#S'`, `tmux set -g mouse on`, `tmux set-option -t a status off`, `tmux split-window -h \; select-pane -t 0`, `tmux wait-for a`,
	)
}
