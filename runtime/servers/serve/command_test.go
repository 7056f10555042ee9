package serve_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// with is the desk's program with the part, as generated code makes it.
type with struct{ desk *desk }

func (w with) Program() *compiled.Program {
	p := w.desk.program()
	p.Parts = []compiled.Part{serve.Part{}}

	return p
}

// The command says what is wrong before it serves anybody.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the command changes the folder to that of -C, and this one is put back at the end
	for name, text := range map[string]string{"short": "ada=x", "good": "ada=" + adaToken, "wrong.json": `{"nobody": []}`,
		"other": "tokens: [{name: ann, sha256: " + strings.Repeat("0", 64) + ", rights: [start], agents: [ecko]}]"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"serve --help", cli.Done, "serve runs over HTTP", ""},
		{"serve --addr 0.0.0.0:0", cli.Failure, "", "can be reached from other machines"},
		{"serve --addr nowhere", cli.Failure, "", "nowhere"},
		{"serve --addr " + taken.Addr().String(), cli.Problem, "", taken.Addr().String() + ": bind: "},
		{"serve --addr " + taken.Addr().String(), cli.Problem, "", "; --addr names another address, and one with port 0 takes a free port\n"},
		{"serve --addr 127.0.0.1:0 --tokens short", cli.Problem, "", "short:1: the token of ada is shorter"},
		{"serve --addr 127.0.0.1:0 --tokens none", cli.Failure, "", "no such file"},
		{"serve --addr 127.0.0.1:0 --script wrong.json", cli.Problem, "", "wrong.json"},
		{"serve --addr 127.0.0.1:0 --script none.json", cli.Usage, "", "no such file"},
		{"serve --addr 127.0.0.1:0 --replay none.jsonl", cli.Usage, "", "no such file"},
		{"serve --addr 127.0.0.1:0 --record short", cli.Problem, "", "it is not a recording"},
		{"serve --addr 127.0.0.1:0 --script wrong.json --replay r.jsonl", cli.Problem, "", "wrong.json"},
		{"serve --addr 127.0.0.1:0 --until-eof", cli.Done, "", "interrupted: runs stop"},
		{"serve --addr 127.0.0.1:0 --until-eof", cli.Done, "", "desk: warning: no tokens: every caller on this machine may do everything"},
		{"serve --addr 127.0.0.1:0 --until-eof --log json", cli.Done, "", `"level":"WARN","msg":"no tokens: every caller`},
		{"serve --addr 127.0.0.1:0 --until-eof --tokens other", cli.Done, "", `token=ann list=agents problem="the program has no agent \"ecko\" (did you mean \"echo\"?)"`},
		{"serve --max-runs 0", cli.Usage, "", "--max-runs"},
		{"serve --max-runs many", cli.Usage, "", "--max-runs"},
		{"serve extra", cli.Usage, "", "extra"},
	}
	for _, test := range tests {
		var out, errs strings.Builder
		args := append([]string{"-C", dir}, strings.Fields(test.args)...)
		code := app.Options{}.Run(with{newDesk()}, args, strings.NewReader(""), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("%s: exit code %d\n%s%s", test.args, code, &out, &errs)
		}
		if isWarned := strings.Contains(errs.String(), "no tokens"); isWarned && strings.Contains(test.args, "--tokens") {
			t.Errorf("%s: %s", test.args, &errs)
		}
	}
	t.Setenv("AGENTC_SERVE_TOKENS", "")
	var errs strings.Builder
	code := app.Options{}.Run(with{newDesk()}, []string{"-C", dir, "serve", "--addr", "127.0.0.1:0", "--until-eof"}, strings.NewReader(""), io.Discard, &errs)
	if code != cli.Problem || !strings.Contains(errs.String(), "AGENTC_SERVE_TOKENS: the variable is set, and empty") || strings.Contains(errs.String(), "serving") {
		t.Errorf("with an empty variable: exit code %d\n%s", code, &errs)
	}
}

// TestNoUI: the server has a page at /, and with --no-ui it has none.
func TestNoUI(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for flag, want := range map[string]int{"--log=text": http.StatusOK, "--no-ui": http.StatusNotFound} {
		stdin, until := io.Pipe()
		said, stderr := io.Pipe()
		ended := make(chan int, 1)
		go func() {
			args := []string{"-C", dir, "serve", "--addr", "127.0.0.1:0", "--until-eof", flag}
			ended <- app.Options{}.Run(with{newDesk()}, args, stdin, io.Discard, stderr)
		}()
		lines := bufio.NewReader(said)
		first, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, lines) }()
		_, url, _ := strings.Cut(strings.TrimSpace(first), "serving runs at ")
		response, err := http.Get(url + "/")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %s", flag, response.Status)
		}
		_ = until.Close()
		if code := <-ended; code != cli.Done {
			t.Errorf("%s: exit code %d", flag, code)
		}
		_ = stderr.Close()
	}
}
