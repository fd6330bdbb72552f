package shell

import "strings"

// What runs the tools of a project: an allow for uv run * is meant for all of
// them, so the tool itself needs no rule. What refuses it elsewhere refuses it
// here. An unknown option of these is in doubt in the same way.

// tool is the table of the runners that take a tool right behind their options.
func (t *wrapper) tool(name string) bool {
	switch name {
	case "npx":
		*t = npx()
	case "bunx":
		*t = bunx()
	case "pnpx", "pnx":
		*t = dlx()
	case "uvx":
		*t = uvx()
	case "cross-env":
		*t = wrapper{assigns: true, runner: true}
	case "cross-env-shell":
		*t = wrapper{assigns: true, code: true, runner: true}
	case "env-cmd":
		*t = wrapper{values: "efr", flags: "x", long: "environments file rc-file", switches: "expand-envs fallback no-override silent use-shell verbose", single: true, runner: true}
	case "nix-shell":
		*t = wrapper{values: "AEIj", flags: "kpQv", long: "arg argstr attr command expr keep max-jobs option run", switches: "impure keep-going packages pure verbose",
			text: "command run", operands: allOperands, runner: true, starts: true}
	default:
		return false
	}
	return true
}

func npx() wrapper {
	return wrapper{values: "cpw", flags: "qsy", long: "cache call loglevel node-options package prefix registry shell userconfig workspace",
		switches: "force ignore-existing ignore-scripts include-workspace-root legacy-peer-deps no no-install offline prefer-offline prefer-online quiet silent workspaces yes",
		text:     "c call", label: '@', runner: true}
}

func bunx() wrapper {
	return wrapper{values: "p", long: "package", switches: "bun no-install silent verbose", label: '@', runner: true}
}

func dlx() wrapper {
	return wrapper{values: "C", flags: "cs", long: "allow-build dir package reporter", switches: "shell-mode silent", single: true, label: '@', runner: true}
}

func uvx() wrapper {
	return wrapper{values: "fipPw", flags: "nqUv", long: "cache-dir color constraints default-index directory env-file find-links from index index-strategy index-url extra-index-url overrides project python upgrade-package with with-editable with-requirements",
		switches: "isolated no-cache no-config no-index no-progress offline quiet refresh reinstall upgrade verbose", label: '@', runner: true}
}

// nodeTool is the table of the package managers of JavaScript, and of those of
// their commands that run others: see launcher.
func (t *wrapper) nodeTool(words string) bool {
	switch words {
	case "npm":
		*t = wrapper{values: "Cw", flags: "dqs", long: "cache loglevel prefix registry userconfig workspace", switches: "if-present include-workspace-root legacy-peer-deps no-audit no-fund quiet silent workspaces"}
	case "npm exec", "npm x":
		*t = npx()
	case "pnpm":
		*t = wrapper{values: "CF", flags: "crsw", long: "dir filter filter-prod loglevel reporter", switches: "parallel recursive shell-mode silent workspace-root"}
	case "pnpm dlx":
		*t = dlx()
	case "pnpm exec":
		*t = wrapper{values: "CF", flags: "crsw", long: "dir filter reporter resume-from workspace-concurrency",
			switches: "no-bail parallel recursive report-summary shell-mode silent workspace-root", single: true, runner: true}
	case "yarn":
		*t = wrapper{long: "cwd", switches: "silent"}
	case "yarn dlx":
		*t = wrapper{values: "p", flags: "q", long: "package", switches: "quiet", label: '@', runner: true}
	case "yarn exec":
		*t = wrapper{single: true, runner: true}
	case "yarn workspace":
		*t = wrapper{operands: 1, whole: true, program: "yarn", runner: true}
	case "yarn workspaces foreach":
		*t = wrapper{values: "j", flags: "AinpRtvW", long: "exclude from include jobs", switches: "all dry-run interlaced no-private parallel recursive since topological topological-dev verbose worktree", program: "yarn", runner: true}
	case "nx exec":
		*t = wrapper{values: "cpt", long: "configuration exclude output-style outputStyle parallel project projects target targets", switches: "all nxBail skip-nx-cache skipNxCache verbose", runner: true}
	case "bun":
		*t = wrapper{long: "cwd", switches: "bun silent"}
	case "bun x":
		*t = bunx()
	case "npm explore":
		*t = wrapper{long: "prefix shell", operands: 1, code: true, runner: true}
	case "lerna", "fnm", "nx", "corepack":
		*t = wrapper{}
	case "lerna exec":
		*t = wrapper{long: "concurrency ignore loglevel profile-location scope since",
			switches: "exclude-dependents include-dependencies include-dependents include-merged-tags no-bail no-prefix no-private no-sort parallel profile reject-cycles stream", runner: true}
	case "fnm exec":
		*t = wrapper{long: "using", runner: true}
	case "volta":
		*t = wrapper{flags: "v", switches: "quiet verbose"}
	case "volta run":
		*t = wrapper{long: "env node npm pnpm yarn", switches: "bundled-npm bundled-pnpm no-pnpm no-yarn", runner: true}
	default:
		return t.corepack(words)
	}
	return true
}

// corepack is the table of the package managers that corepack runs, perhaps in
// a version.
func (t *wrapper) corepack(words string) bool {
	name, ok := strings.CutPrefix(words, "corepack ")
	if !ok || strings.Contains(name, " ") {
		return false
	}
	switch name, _, _ = strings.Cut(name, "@"); {
	case has("npm npx pnpm pnpx yarn yarnpkg", name):
		*t = wrapper{whole: true, program: name, runner: true}
		return true
	}
	return false
}

// pythonTool is the table of the project managers of Python.
func (t *wrapper) pythonTool(words string) bool {
	switch words {
	case "uv":
		*t = wrapper{flags: "nqv", long: "cache-dir color config-file directory project", switches: "no-cache no-config no-progress offline quiet verbose"}
	case "uv tool run":
		*t = uvx()
	case "uv run":
		*t = wrapper{values: "fipPw", flags: "mnqsUv",
			long:     "cache-dir color config-file default-index directory env-file extra extra-index-url find-links group index index-url no-extra no-group only-group package project python upgrade-package with with-editable with-requirements",
			switches: "active all-extras all-groups all-packages dev exact frozen isolated locked module no-cache no-config no-default-groups no-dev no-editable no-env-file no-progress no-project no-sync offline only-dev quiet refresh reinstall script upgrade verbose",
			runner:   true}
	case "poetry":
		*t = wrapper{values: "CP", flags: "nqv", long: "directory project", switches: "ansi no-ansi no-cache no-interaction no-plugins quiet verbose"}
	case "poetry run":
		*t = wrapper{values: "CP", flags: "nqv", switches: "no-interaction quiet verbose", runner: true}
	case "pipenv":
		*t = wrapper{flags: "qv", long: "python", switches: "quiet verbose"}
	case "pipenv run":
		*t = wrapper{flags: "qv", long: "python", switches: "quiet system verbose", runner: true}
	case "pdm":
		*t = wrapper{values: "c", flags: "qv", long: "config", switches: "quiet verbose"}
	case "pdm run":
		*t = wrapper{values: "kp", flags: "gqsv", long: "project skip venv", switches: "global quiet site-packages verbose", runner: true}
	case "rye":
		*t = wrapper{}
	case "rye run":
		*t = wrapper{flags: "qv", long: "pyproject", switches: "quiet verbose", runner: true}
	case "hatch":
		*t = wrapper{values: "ep", flags: "qv", long: "cache-dir config data-dir env project", switches: "color interactive no-color no-interactive quiet verbose"}
	case "hatch run":
		*t = wrapper{label: ':', runner: true}
	case "hatch env":
		*t = wrapper{group: true}
	case "hatch env run":
		*t = wrapper{values: "e", long: "env", runner: true}
	case "pipx":
		*t = wrapper{flags: "qv", switches: "global quiet verbose"}
	case "pipx run":
		*t = wrapper{flags: "qv", long: "index-url pip-args python spec", switches: "no-cache pypackages quiet system-site-packages verbose", runner: true}
	case "conda", "mamba", "micromamba":
		*t = wrapper{flags: "v", switches: "no-plugins verbose"}
	case "conda run", "mamba run", "micromamba run":
		*t = wrapper{values: "np", flags: "v", long: "cwd name prefix", switches: "debug-wrapper-scripts dev live-stream no-capture-output verbose", runner: true}
	default:
		return false
	}
	return true
}

// environment is the table of what runs a command with the versions and
// variables that a project asks for.
func (t *wrapper) environment(words string) bool {
	switch words {
	case "bundle", "bundler":
		*t = wrapper{values: "r", flags: "V", long: "retry", switches: "no-color verbose"}
	case "bundle exec", "bundler exec":
		*t = wrapper{long: "gemfile", switches: "keep-file-descriptors no-keep-file-descriptors", runner: true}
	case "rbenv", "pyenv", "nodenv", "goenv", "asdf", "direnv":
		*t = wrapper{}
	case "rbenv exec", "pyenv exec", "nodenv exec", "goenv exec", "asdf exec":
		*t = wrapper{runner: true}
	case "direnv exec":
		*t = wrapper{operands: 1, runner: true}
	case "composer":
		*t = wrapper{values: "d", flags: "nqv", long: "working-dir", switches: "ansi no-ansi no-interaction quiet"}
	case "composer exec":
		*t = wrapper{flags: "l", switches: "list", runner: true}
	case "mise", "rtx":
		*t = wrapper{values: "CEj", flags: "qvy", long: "cd env jobs", switches: "quiet raw silent verbose yes"}
	case "mise exec", "mise x", "rtx exec", "rtx x":
		*t = wrapper{behind: "--", text: "c command", runner: true}
	case "nix":
		*t = wrapper{flags: "Lv", long: "extra-experimental-features log-format", switches: "impure offline print-build-logs quiet refresh verbose"}
	case "nix develop", "nix shell":
		*t = wrapper{behind: "-c --command", runner: true, starts: true}
	case "dotenv", "dotenv ": // it needs no command of its own
		*t = wrapper{values: "cefpqv", long: "export file quote", runner: true}
	case "dotenv run":
		*t = wrapper{switches: "no-override override", runner: true}
	case "dotenvx", "op", "doppler", "infisical":
		*t = wrapper{}
	case "dotenvx run", "op run", "doppler run", "infisical run":
		*t = wrapper{behind: "--", text: "command", runner: true}
	default:
		return false
	}
	return true
}

// managed is the table of further tools that know what a project or an account
// needs.
func (t *wrapper) managed(words string) bool {
	switch words {
	case "nix run":
		*t = wrapper{flags: "Lv", long: "extra-experimental-features inputs-from", switches: "accept-flake-config impure no-write-lock-file offline print-build-logs quiet refresh show-trace verbose", label: '#', runner: true}
	case "pixi":
		*t = wrapper{flags: "qv", long: "color", switches: "no-progress quiet verbose"}
	case "pixi run":
		*t = wrapper{values: "e", flags: "qv", long: "color environment manifest-path", switches: "as-is clean-env frozen locked no-install quiet skip-deps verbose", single: true, runner: true}
	case "pixi exec", "pixi x":
		*t = wrapper{values: "cs", flags: "qv", long: "channel platform spec", switches: "force-reinstall quiet verbose", runner: true}
	case "devbox":
		*t = wrapper{flags: "q", switches: "quiet"}
	case "devbox run":
		*t = wrapper{values: "ce", flags: "lq", long: "config env env-file environment", switches: "list pure quiet", single: true, runner: true}
	case "aws-vault":
		*t = wrapper{long: "backend keychain prompt", switches: "debug"}
	case "aws-vault exec":
		*t = wrapper{values: "dmt", flags: "jns", long: "backend duration mfa-token prompt region", switches: "debug ec2-server ecs-server json lazy no-session server stdout", operands: 1, runner: true, starts: true}
	case "chamber", "sops":
		*t = wrapper{}
	case "chamber exec":
		*t = wrapper{behind: "--", runner: true}
	case "sops exec-env", "sops exec-file":
		*t = wrapper{long: "filename user", switches: "background no-fifo pristine same-process", operands: 1, code: true, runner: true}
	default:
		return false
	}
	return true
}
