package command

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

func TestCompletion(t *testing.T) {
	for _, test := range []struct{ words, want string }{
		{"gen", "generate"},
		{"-C gen", ""}, // a folder
		{"-C . expl", "explain"},
		{"help simul", "simulate"},
		{"check --st", "--strict --stats"},
		{"check --format s", "sarif"},
		{"check --format = g", "github"},
		{"run --script a", ""}, // a file
		{"run exam", ""},       // a folder
		{"explain undefined-st", "undefined-state undefined-step undefined-step-output"},
		{"explain undefined-state undefined-st", ""},
		{"completion z", "zsh"},
		{"add crit", "critic"},
		{"nonsense x", ""},
	} {
		r := agentc(t.TempDir(), "", append([]string{"completion", "suggest", "--"}, strings.Fields(test.words)...)...)
		var got []string
		for line := range strings.Lines(r.stdout) {
			text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, text)
		}
		if r.code != cli.Done || strings.Join(got, " ") != test.want {
			t.Errorf("%s: exit code %d, %q, want %s; %s", test.words, r.code, got, test.want, r.stderr)
		}
	}
	agentc(t.TempDir(), "", "completion").want(t, cli.Usage, "", "name a shell: bash, fish, powershell, zsh")
}

// What bash reads asks the program that is being typed for the words.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, shell := range shells() {
		if agentc(t.TempDir(), "", "completion", shell).stdout == "" {
			t.Errorf("nothing for %s", shell)
		}
	}
	script := agentc(t.TempDir(), "", "completion", "bash").stdout + `
asked() { shift 3; printf '%s\thelp\n' "<$1>" "two words"; }
COMP_WORDS=(asked check --f) COMP_CWORD=2
_agentc asked
printf '%s|' "${COMPREPLY[@]}"
`
	out, err := exec.Command(bash, "-euc", script).CombinedOutput()
	if want := "<check>|two words|"; err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}

// In a zsh at work, on a terminal of its own, Tab completes a word, and Enter runs the line.
func TestCompletionInZsh(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("there is no zsh")
	}
	dir := unpack(t, t.TempDir(), `
-- agentc --
if [ "$1" = completion ]; then
	shift 3
	echo "$*" >asked
	printf '%s\thelp\n' check
else
	echo "ran $*, asked $(cat asked)"
fi
-- typed --
zmodload zsh/zpty || exit 7
zpty shell zsh -f -i
zpty -w shell 'agentc() { sh ./agentc "$@"; }; PS1=; autoload -Uz compinit; compinit -D; source ./script; echo rea""dy'
zpty -r -m shell text '*ready*'
zpty -w shell $'agentc -C . ch\t'
zpty -r -m shell text $'*asked *\n*'
print -r -- "$text"
zpty -d shell
-- script --
`+agentc(t.TempDir(), "", "completion", "zsh").stdout)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, zsh, "-f", "typed")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() == 7 {
		t.Skip("this zsh has no zpty")
	}
	if err != nil || !strings.Contains(string(out), "ran -C . check, asked -C . ch\r\n") {
		t.Errorf("%v: %q", err, out)
	}
}
