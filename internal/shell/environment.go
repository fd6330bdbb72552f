package shell

import (
	"slices"
	"strings"
)

// isSpecial reports whether a variable changes what a shell or the programs
// that it starts do.
func isSpecial(name string) bool {
	switch name {
	case "PATH", "HOME", "IFS", "CDPATH", "ENV", "GLOBIGNORE", "OLDPWD", "PWD", "SHELL", "EDITOR", "VISUAL", "PAGER",
		"DIRSTACK", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS3", "PS4", "FPATH", "TMPDIR", "MANPATH", "EXECIGNORE", "INPUTRC",
		"POSIXLY_CORRECT", "SHELLOPTS", "TEXTDOMAIN", "TEXTDOMAINDIR", "LOCPATH":
		return true
	}
	for _, prefix := range []string{"BASH", "LD_", "DYLD_", "GIT_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// IsHarmless reports whether a variable may be set before a command without a
// word in the rule that allows it. A list of the dangerous ones is never
// complete.
func IsHarmless(name string) bool {
	switch name {
	case "NODE_ENV", "CI", "TZ", "LANG", "LANGUAGE", "TERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR",
		"CLICOLOR_FORCE", "COLORTERM", "GOOS", "GOARCH", "GOARM", "GOAMD64", "CGO_ENABLED", "PORT", "DEBUG", "LOG_LEVEL", "RUST_LOG",
		"RUST_BACKTRACE", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE",
		"DEBIAN_FRONTEND", "HUSKY", "TEST", "VERBOSE":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// runsCode reports whether the shell runs what a variable holds, or looks up in
// it what it runs, or how it reads that.
func runsCode(name string) bool {
	switch name {
	case "PS4", "PROMPT_COMMAND", "BASH_CMDS", "BASH_ALIASES", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS":
		return true
	}
	return false
}

// steers reports whether programs in wide use, or what loads them, read a
// variable to find what they run, load, reach or trust. Setting it needs no more
// than an assignment where the environment has it already. A list of them is
// never complete.
func steers(name string) bool {
	switch name {
	case "CC", "CXX", "CPP", "LD", "AR", "AS", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKE", "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "PKG_CONFIG", "PKG_CONFIG_PATH",
		"GOFLAGS", "GOENV", "GOROOT", "GOPATH", "GOBIN", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK", "GOPRIVATE", "GOINSECURE", "GOTOOLCHAIN", "GOTOOLDIR", "GOVCS", "GOWORK", "GOAUTH", "GOCACHEPROG", "GCCGO",
		"NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED",
		"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "PYTHONEXECUTABLE", "VIRTUAL_ENV",
		"PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "PERL5SHELL", "RUBYOPT", "RUBYLIB", "RUBYSHELL", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "BUNDLE_PATH",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "JAVA_HOME", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS",
		"RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "RUSTFLAGS", "RUSTDOCFLAGS", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "LUA_INIT", "LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR",
		"LESS", "LESSOPEN", "LESSCLOSE", "LESSKEYIN", "MANPAGER", "MANOPT", "MANROFFOPT", "BROWSER", "SYSTEMD_PAGER", "SYSTEMD_EDITOR", "SUDO_ASKPASS", "SUDO_EDITOR",
		"GREP_OPTIONS", "TAR_OPTIONS", "GZIP", "ZIPOPT", "UNZIP", "RSYNC_RSH", "CVS_RSH", "SVN_SSH", "HGRCPATH", "HGEDITOR", "SVN_EDITOR", "PSQL_EDITOR", "PSQLRC", "PGSERVICEFILE", "MYSQL_HOME",
		"DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_CERT_PATH", "CONTAINER_HOST", "KUBECONFIG", "KUBE_EDITOR", "TF_CLI_ARGS", "TF_CLI_CONFIG_FILE", "TF_PLUGIN_CACHE_DIR", "ANSIBLE_CONFIG", "HELM_PLUGINS",
		"SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SSH_AUTH_SOCK", "SSH_SK_PROVIDER", "SSH_SK_HELPER", "SSH_PKCS11_HELPER", "GH_HOST", "GH_TOKEN", "GITHUB_TOKEN", "GH_CONFIG_DIR", "GNUPGHOME",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "CURL_HOME", "REQUESTS_CA_BUNDLE", "OPENSSL_CONF", "OPENSSL_MODULES", "WGETRC", "NETRC",
		"XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "USERPROFILE", "APPDATA", "TERMINFO", "GCONV_PATH", "HOSTALIASES", "RES_OPTIONS", "TZDIR", "ZDOTDIR":
		return true
	}
	return startsOrEnds(name, []string{"AWS_", "CARGO_", "CGO_", "npm_config_", "NPM_CONFIG_", "YARN_", "PIP_", "UV_", "TF_CLI_ARGS_"}, []string{"_PROXY", "_proxy"})
}

// startsOrEnds reports whether a name has one of some starts, or ends.
func startsOrEnds(name string, starts, ends []string) bool {
	return slices.ContainsFunc(starts, func(s string) bool { return strings.HasPrefix(name, s) }) ||
		slices.ContainsFunc(ends, func(s string) bool { return strings.HasSuffix(name, s) })
}
