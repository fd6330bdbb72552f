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
		"yarn dlx", "yarn dlx -p foo", "yarn exec", "yarn --cwd d exec", "lerna exec --", "lerna exec --scope a --", "lerna exec", "lerna exec --concurrency 1 --no-bail --since main --", "npm explore a --", "nx exec --", "nx exec -p a --", "fnm exec --using 20", "volta run --node 20",
		"uv run", "uv run --with foo", "uv --directory d run --frozen", "uvx", "uvx --from foo", "uv tool run", "uv tool run -p 3.12",
		"poetry run", "poetry -C d run", "pipenv run", "pipenv --python 3 run", "pdm run", "pdm run -p d", "rye run", "rye run --pyproject d/p.toml",
		"hatch run", "hatch -e test run", "pipx run", "pipx run --spec foo", "conda run", "conda run -n env --no-capture-output", "mamba run -p d", "micromamba run -n env",
		"bundle exec", "bundle exec --gemfile d/Gemfile", "rbenv exec", "pyenv exec", "nodenv exec", "goenv exec", "asdf exec", "composer exec", "composer -d web exec --",
		"direnv exec d", "mise exec node@20 --", "mise x -C d --", "rtx exec node@20 --", "rtx x --", "nix develop -c", "nix develop .#a --command", "nix shell nixpkgs#a -c",
		"dotenv", "dotenv -e .env", "dotenv -e .env --", "dotenv -f .env run", "dotenvx run -f .env --", "op run --env-file=.env --", "doppler run -p a --", "aws-vault exec a --", "aws-vault exec -d 1h a", "aws-vault --debug exec a", "chamber exec a b --", "sops exec-env f", "sops exec-file --no-fifo f", "pixi run", "pixi run -e a --", "pixi exec -s a", "devbox run", "devbox run -c d --", "hatch env run -e a --", "snap run", "heroku local:run", "infisical run --env dev --",
		"env-cmd", "env-cmd -f .env", "git bisect run", "git -C d bisect run", "git submodule foreach --recursive", "screen -dmS a", "screen -c f -dm",
	} {
		assert.Equal(t, []string{runner + " rm x", "(rm x)"}, said(config(), runner+" rm x"))
	}
	check(t, []row{
		{`npx vercel@latest deploy`, []string{"npx vercel@latest deploy", "(vercel deploy)"}},
		{`npx @scope/rm@1 x`, []string{"npx @scope/rm@1 x", "(@scope/rm x)"}},
		{`uvx ruff@0.4 check`, []string{"uvx ruff@0.4 check", "(ruff check)"}},
		{`hatch run test:rm x`, []string{"hatch run test:rm x", "(rm x)"}},
		{`corepack npm exec rm x`, []string{"corepack npm exec rm x", "(npm exec rm x)", "(rm x)"}},
		{`corepack yarn@1.22 exec rm x`, []string{"corepack yarn@1.22 exec rm x", "(yarn exec rm x)", "(rm x)"}},
		{`corepack yarn`, []string{"corepack yarn", "(yarn)"}},
		{`yarn workspace a exec rm x`, []string{"yarn workspace a exec rm x", "(yarn exec rm x)", "(rm x)"}},
		{`yarn workspaces foreach -Apt exec rm x`, []string{"yarn workspaces foreach -Apt exec rm x", "(yarn exec rm x)", "(rm x)"}},
		{`nix run nixpkgs#rm -- x`, []string{"nix run nixpkgs#rm -- x", "(rm x)"}},
		{`nix run .#a.b.rm^out x`, []string{"nix run .#a.b.rm^out x", "(rm x)"}},
		{`nix run "$x"`, []string{"nix run …", "(…)"}},
		{`lerna exec rm -- x`, []string{"lerna exec rm -- x", "(rm -- x)"}},
		{`pixi run 'a && rm x'`, []string{"pixi run a && rm x", "(a)", "(rm x)", "(a)", "(rm x)"}},
		{`aws-vault exec a <<< 'rm x'`, []string{"aws-vault exec a", "(rm x)", "(rm x)"}},
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
		`conda install -n a b`, `nix build .#a`, `nix develop`, `mise use node@20`, `direnv allow`, `op item get a`, `git bisect start`, `git submodule update --init`, `pipx install a`, `npm "$x"`, `corepack enable`, `corepack prepare yarn@1 --activate`, `nix run .`, `nix run github:a/b -- x`, `nx run a:b`, `lerna run a`, `yarn workspaces list`, `sops -d f`, `aws-vault list`,
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
		"perf stat", "perf stat -e cycles -r 5", "perf record -g -o f --", "perf trace -e open", "perf mem record", "perf sched record -a", "entr", "entr -rc", "watchexec", "watchexec -e go,mod -r --", "valgrind", "valgrind --leak-check=full --tool=memcheck -q", "rr record", "rr record -o d", "cargo watch --", "cargo +nightly watch -c --",
		"gcloud compute ssh h --", "gcloud compute ssh h --zone z -- -t", "gcloud beta compute --project p ssh h --", "vagrant ssh --", "vagrant ssh -- -t", "heroku run", "heroku run -a a --", "heroku run:detached --app=a", "minikube ssh --", "minikube ssh -p a",
		"multipass exec v --", "multipass exec -d d v", "lxc exec c --", "lxc exec c --env A=b --", "incus --project p exec c --", "colima ssh --", "limactl shell v", "toolbox run", "toolbox run -c a", "distrobox enter a --", "distrobox-enter -n a -e",
		"flatpak-spawn --host", "wsl", "wsl -e", "wsl.exe -d a -u b --",
	} {
		assert.Equal(t, []string{wrapper + " rm x", "rm x"}, said(config(), wrapper+" rm x"))
	}
	check(t, []row{
		{`tmux new -d 'a; rm x'`, []string{"tmux new -d a; rm x", "a", "rm x", "a", "rm x"}},
		{`tmux new -d \; splitw 'rm x' \; attach`, []string{"tmux new -d", "tmux splitw rm x", "rm x", "tmux attach"}},
		{`tmux send-keys -t a 'rm x' Enter`, []string{"tmux send-keys -t a rm x Enter", "(rm x)"}},
		{`tmux -L s send 'rm x' C-m`, []string{"tmux -L s send rm x C-m", "(rm x)"}},
		{`tmux send r m Space x`, []string{"tmux send r m Space x", "(rm x)"}},
		{`tmux send 'a' Enter 'rm x' ^M`, []string{"tmux send a Enter rm x ^M", "(a)", "(rm x)"}},
		{`tmux send -l 'rm x' Enter`, []string{"tmux send -l rm x Enter", "(rm xEnter)"}},
		{`tmux send C-c 'rm x' Enter`, []string{"tmux send C-c rm x Enter", "(rm x)"}},
		{`tmux send 'for i in 1' Enter 'do rm x' Enter done Enter`, []string{"tmux send for i in 1 Enter do rm x Enter done Enter", "(rm x)", "(rm x)"}},
		{`tmux send 'xrm y' C-a C-d Enter`, []string{"tmux send xrm y C-a C-d Enter", "(…)", "(xrm y)"}},
		{`tmux send Escape b 'rm y' Enter`, []string{"tmux send Escape b rm y Enter", "(…)", "(brm y)"}},
		{`tmux send 0x72 'm y' Enter`, []string{"tmux send 0x72 m y Enter", "(…)", "(m y)"}},
		{`tmux send "$x" Enter`, []string{"tmux send … Enter", "(… Enter)", "(…)"}},
		{`tmux send C-c`, []string{"tmux send C-c"}},
		{`tmux send Down Down Enter`, []string{"tmux send Down Down Enter"}},
		{`screen -S a -X stuff 'rm x^M'`, []string{"screen -S a -X stuff rm x^M", "(rm x)"}},
		{`screen -S a -p 0 -X stuff $'a\nrm x\n'`, []string{"screen -S a -p 0 -X stuff a\nrm x\n", "(a)", "(rm x)"}},
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
		{`gcloud compute ssh h --zone z --command 'a; rm x'`, []string{"gcloud compute ssh h --zone z --command a; rm x", "a", "rm x", "a", "rm x"}},
		{`gcloud compute ssh h -- -L 1:a:2`, []string{"gcloud compute ssh h -- -L 1:a:2"}},
		{`vagrant ssh web --comm 'rm x'`, []string{"vagrant ssh web --comm rm x", "rm x", "rm x"}},
		{`fly ssh console -a a -C 'rm x'`, []string{"fly ssh console -a a -C rm x", "rm x", "rm x"}},
		{`aws --profile p ecs execute-command --cluster c --command 'rm x'`, []string{"aws --profile p ecs execute-command --cluster c --command rm x", "rm x", "rm x"}},
		{`vagrant ssh -c'rm x'`, []string{"vagrant ssh -crm x", "rm x", "rm x"}},
		{`flatpak run --command=rm org.a x`, []string{"flatpak run --command=rm org.a x", "rm x"}},
		{`flatpak run --command="$c" org.a x`, []string{"flatpak run --command=… org.a x", "… x"}},
		{`docker run --entrypoint="$c" --name="$n" img x`, []string{"docker run --entrypoint=… --name=… img x", "…", "x"}},
		{`timeout --signal="$s" 5 rm x`, []string{"(timeout --signal=… 5 rm x)", "rm x"}},
		{`su --command="$c"`, []string{"su --command=…", "…"}},
		{`cargo watch -x 'run -- a' -s 'rm x'`, []string{"cargo watch -x run -- a -s rm x", "rm x", "rm x", "cargo run -- a", "cargo run -- a"}},
		{`gdb -batch -ex 'shell rm x' a`, []string{"gdb -batch -ex shell rm x a", "rm x", "rm x"}},
		{`gdb -ex=!rm\ x`, []string{"gdb -ex=!rm x", "rm x", "rm x"}},
		{`gdb -ex 'she rm x' -ex 'pipe bt | rm x'`, []string{"gdb -ex she rm x -ex pipe bt | rm x", "rm x", "rm x", "bt", "rm x", "bt", "rm x"}},
		{`gdb -ex "$x"`, []string{"gdb -ex …", "…"}},
		{`lldb -o 'platform shell rm x' a`, []string{"lldb -o platform shell rm x a", "rm x", "rm x"}},
		{`watch -x sh -c 'rm -f x'`, []string{"watch -x sh -c rm -f x", "(sh -c rm -f x)", "rm -f x", "rm -f x", "(sh -c rm -f x)", "rm", "rm"}},
		{`rr record --new a`, []string{"rr record --new a", "…", "a"}},
		{`perf stat --pre 'rm x' a`, []string{"perf stat --pre rm x a", "rm x", "rm x", "a"}},
		{`perf stat --new a`, []string{"perf stat --new a", "…", "a"}},
	})
	for _, line := range []string{
		`tmux ls`, `tmux kill-session -t a`, `tmux new -d -s a`, `tmux capture-pane -p -t a`, `gdb ./a core`, `gdb -batch -ex bt a`, `perf report -i f`, `split -b 1M f out-`, `split -100 f`, `split -d -n l/4 f`,
		`nodemon app.js`, `ssh -N -L 1:a:2 h`, `newgrp docker`, `vagrant up`, `gdb -batch -ex "break $f" -ex run a`, `gcloud compute instances list`, `gcloud compute ssh h`, `fly deploy`, `fly ssh console`, `heroku logs`, `flatpak run org.a x`, `wsl -l -v`, `wsl --shutdown`, `cargo +nightly test`, `cargo run -- exec a`, `aws ecs list-tasks`, `minikube start`, `lxc list`, `rr replay`, `screen -ls`,
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
