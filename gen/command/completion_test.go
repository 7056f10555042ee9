package command

import (
	"os/exec"
	"strings"
	"testing"

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
