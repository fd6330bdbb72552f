package shell

// What runs the tools of a project: an allow for uv run * is meant for all of
// them, so the tool itself needs no rule. What refuses it elsewhere refuses it
// here. An unknown option of these is in doubt in the same way.

// tool is the table of the runners that take a tool right behind their options.
func tool(name string) (wrapper, bool) {
	switch name {
	case "npx":
		return npx(), true
	case "bunx":
		return bunx(), true
	case "pnpx", "pnx":
		return dlx(), true
	case "uvx":
		return uvx(), true
	case "cross-env":
		return wrapper{assigns: true, runner: true}, true
	case "cross-env-shell":
		return wrapper{assigns: true, code: true, runner: true}, true
	case "env-cmd":
		return wrapper{values: "efr", flags: "x", long: "environments file rc-file", switches: "expand-envs fallback no-override silent use-shell verbose", single: true, runner: true}, true
	case "nix-shell":
		return wrapper{values: "AEIj", flags: "kpQv", long: "arg argstr attr command expr keep max-jobs option run", switches: "impure keep-going packages pure verbose",
			text: "command run", operands: allOperands, runner: true}, true
	}
	return wrapper{}, false
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

// nodeTool is the table of the package managers of JavaScript.
func nodeTool(name string) (before wrapper, commands map[string]wrapper) {
	switch name {
	case "npm":
		return wrapper{values: "Cw", flags: "dqs", long: "cache loglevel prefix registry userconfig workspace", switches: "if-present include-workspace-root legacy-peer-deps no-audit no-fund quiet silent workspaces"},
			map[string]wrapper{"exec": npx(), "x": npx()}
	case "pnpm":
		return wrapper{values: "CF", flags: "crsw", long: "dir filter filter-prod loglevel reporter", switches: "parallel recursive shell-mode silent workspace-root"},
			map[string]wrapper{"dlx": dlx(), "exec": {values: "CF", flags: "crsw", long: "dir filter reporter resume-from workspace-concurrency",
				switches: "no-bail parallel recursive report-summary shell-mode silent workspace-root", single: true, runner: true}}
	case "yarn":
		return wrapper{long: "cwd", switches: "silent"}, map[string]wrapper{"dlx": {values: "p", flags: "q", long: "package", switches: "quiet", label: '@', runner: true}, "exec": {single: true, runner: true}}
	case "bun":
		return wrapper{long: "cwd", switches: "bun silent"}, map[string]wrapper{"x": bunx()}
	case "lerna":
		return wrapper{}, map[string]wrapper{"exec": {behind: "--", runner: true}}
	case "fnm":
		return wrapper{}, map[string]wrapper{"exec": {long: "using", runner: true}}
	case "volta":
		return wrapper{flags: "v", switches: "quiet verbose"}, map[string]wrapper{"run": {long: "env node npm pnpm yarn", switches: "bundled-npm bundled-pnpm no-pnpm no-yarn", runner: true}}
	}
	return wrapper{}, nil
}

// pythonTool is the table of the project managers of Python.
func pythonTool(name string) (before wrapper, commands map[string]wrapper) {
	switch name {
	case "uv":
		return wrapper{flags: "nqv", long: "cache-dir color config-file directory project", switches: "no-cache no-config no-progress offline quiet verbose"},
			map[string]wrapper{"tool run": uvx(), "run": {values: "fipPw", flags: "mnqsUv",
				long:     "cache-dir color config-file default-index directory env-file extra extra-index-url find-links group index index-url no-extra no-group only-group package project python upgrade-package with with-editable with-requirements",
				switches: "active all-extras all-groups all-packages dev exact frozen isolated locked module no-cache no-config no-default-groups no-dev no-editable no-env-file no-progress no-project no-sync offline only-dev quiet refresh reinstall script upgrade verbose",
				runner:   true}}
	case "poetry":
		return wrapper{values: "CP", flags: "nqv", long: "directory project", switches: "ansi no-ansi no-cache no-interaction no-plugins quiet verbose"},
			map[string]wrapper{"run": {values: "CP", flags: "nqv", switches: "no-interaction quiet verbose", runner: true}}
	case "pipenv":
		return wrapper{flags: "qv", long: "python", switches: "quiet verbose"}, map[string]wrapper{"run": {flags: "qv", long: "python", switches: "quiet system verbose", runner: true}}
	case "pdm":
		return wrapper{values: "c", flags: "qv", long: "config", switches: "quiet verbose"},
			map[string]wrapper{"run": {values: "kp", flags: "gqsv", long: "project skip venv", switches: "global quiet site-packages verbose", runner: true}}
	case "rye":
		return wrapper{}, map[string]wrapper{"run": {flags: "qv", long: "pyproject", switches: "quiet verbose", runner: true}}
	case "hatch":
		return wrapper{values: "ep", flags: "qv", long: "cache-dir config data-dir env project", switches: "color interactive no-color no-interactive quiet verbose"},
			map[string]wrapper{"run": {label: ':', runner: true}}
	case "pipx":
		return wrapper{flags: "qv", switches: "global quiet verbose"}, map[string]wrapper{"run": {flags: "qv", long: "index-url pip-args python spec", switches: "no-cache pypackages quiet system-site-packages verbose", runner: true}}
	case "conda", "mamba", "micromamba":
		return wrapper{flags: "v", switches: "no-plugins verbose"}, map[string]wrapper{"run": {values: "np", flags: "v", long: "cwd name prefix",
			switches: "debug-wrapper-scripts dev live-stream no-capture-output verbose", runner: true}}
	}
	return wrapper{}, nil
}

// environment is the table of what runs a command with the versions and
// variables that a project asks for.
func environment(name string) (before wrapper, commands map[string]wrapper) {
	switch name {
	case "bundle", "bundler":
		return wrapper{values: "r", flags: "V", long: "retry", switches: "no-color verbose"}, map[string]wrapper{"exec": {long: "gemfile", switches: "keep-file-descriptors no-keep-file-descriptors", runner: true}}
	case "rbenv", "pyenv", "nodenv", "goenv", "asdf":
		return wrapper{}, map[string]wrapper{"exec": {runner: true}}
	case "composer":
		return wrapper{values: "d", flags: "nqv", long: "working-dir", switches: "ansi no-ansi no-interaction quiet"}, map[string]wrapper{"exec": {flags: "l", switches: "list", runner: true}}
	case "git":
		return wrapper{values: "Cc", flags: "pP", long: "git-dir namespace work-tree", switches: "bare literal-pathspecs no-optional-locks no-pager paginate"},
			map[string]wrapper{"bisect run": {runner: true}, "submodule foreach": {switches: "recursive", single: true, runner: true}}
	case "direnv":
		return wrapper{}, map[string]wrapper{"exec": {operands: 1, runner: true}}
	case "mise":
		return wrapper{values: "CEj", flags: "qvy", long: "cd env jobs", switches: "quiet raw silent verbose yes"}, map[string]wrapper{"exec": {behind: "--", text: "c command", runner: true}, "x": {behind: "--", text: "c command", runner: true}}
	case "nix":
		return wrapper{flags: "Lv", long: "extra-experimental-features log-format", switches: "impure offline print-build-logs quiet refresh verbose"},
			map[string]wrapper{"develop": {behind: "-c --command", runner: true}, "shell": {behind: "-c --command", runner: true}}
	case "dotenv":
		before = wrapper{values: "cefpqv", long: "export file quote", runner: true}
		return before, map[string]wrapper{"": before, "run": {switches: "no-override override", runner: true}}
	case "dotenvx", "op", "doppler", "infisical":
		return wrapper{}, map[string]wrapper{"run": {behind: "--", text: "command", runner: true}}
	}
	return wrapper{}, nil
}
