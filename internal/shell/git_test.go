package shell_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What git runs because of an option, a setting or a variable: a rule that
// refuses rm x hears of it, and only git has to be allowed.
func TestGitRunsOthers(t *testing.T) {
	for _, line := range []string{
		`git rebase -x 'rm x' main`, `git rebase --exec 'rm x'`, `git rebase -i --exec='rm x'`, `git rebase -ix 'rm x'`, `git rebase --ex='rm x'`, `git -C d rebase -x'rm x'`,
		`git difftool -yx 'rm x'`, `git difftool --extcmd 'rm x'`, `git grep -O'rm x' a`, `git grep --open-files-in-pager='rm x' a`, `git filter-branch --tree-filter 'rm x' HEAD`,
		`git filter-branch -f --msg-filter='rm x'`, `git clone -u 'rm x' u`, `git clone --upload-pack='rm x' u`, `git fetch --upload-pack 'rm x' u`, `git ls-remote --exec='rm x' u`, `git push --receive-pack='rm x' u`, `git push --e='rm x' u`, `git archive --remote=u --exec='rm x'`,
		`git submodule --quiet foreach 'rm x'`, `git submodule -q foreach rm x`,
		`git -c alias.a='!rm x' a`, `git -c alias.a='!rm' a x`, `git --no-pager -c ALIAS.a='!rm' A x`, `git -c alias.a='!rm x' log`, `git -c core.pager='rm x' log`, `git -c core.sshCommand='rm x' fetch`, `git -c sequence.editor='rm x' rebase -i`,
		`git -c diff.a.textconv='rm x' log`, `git -c filter.a.clean='rm x' add .`, `git -c pager.log='rm x' log`, `git -c credential.helper='!rm x' fetch`,
		`git clone -c core.sshCommand='rm x' u`, `git clone --config=core.sshCommand='rm x' u`, `git config alias.a '!rm x'`, `git config --global core.editor 'rm x'`,
		`GIT_SSH_COMMAND='rm x' git fetch`, `env GIT_PAGER='rm x' git log`, `export GIT_EDITOR='rm x'`, `command export A=b GIT_EDITOR='rm x'`, `PAGER='rm x'; git log`, `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x' git log`,
	} {
		assert.Contains(t, said(config(), line), "(rm x)", line)
	}
	assert.Contains(t, said(config(), `git -c alias.p=push p origin`), "(git push origin)")
	assert.Contains(t, said(config(), `git config alias.p push`), "(git push)")
	assert.Contains(t, said(config(), `git for-each-repo --config=a push x`), "(git push x)")
	assert.Contains(t, said(config(), `git -c credential.helper=store fetch`), "(git credential-store)")
	for _, line := range []string{
		`git --config-env=core.pager=X log`, `git --config-env alias.a=X a`, `git -c "$x" log`, `git -c alias.a="$x" a`, `git rebase --exec="$x"`, `git config alias.a "$x"`,
		`GIT_EDITOR="$x" git commit`, `GIT_CONFIG_KEY_0=core.pager git log`, `GIT_CONFIG_KEY_0="$x" git log`, `GIT_CONFIG_PARAMETERS=x git log`, `EDITOR+=x git commit`,
	} {
		assert.Contains(t, said(config(), line), "(…)", line)
	}
	for _, line := range []string{
		`git push origin "$b"`, `git -c user.name="$n" commit -m x`, `git -c core.pager= log`, `git rebase --onto a b`, `git rebase -Xtheirs x`, `git grep -O a`, `git grep -e -x a`, `git clone -c http.proxy=x u`,
		`git config user.name "$n"`, `git config --get alias.x`, `git config --unset core.pager`, `git config core.editor`, `git fetch --all`, `git $x push`, `git --new push`, `git push -- --exec=a`, `git submodule update --init`,
	} {
		assert.Len(t, config().Read(line), 1, line)
	}
}
