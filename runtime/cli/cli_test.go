package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

// echo is a program whose one command prints what it was called with.
func echo() *Program {
	return &Program{
		Name: "prog", Summary: "prog repeats.",
		Words: map[string]string{"say": "use prog echo"},
		Commands: []*Command{{
			Name: "echo", Args: "[A] [B]", Max: 2, Summary: "repeats", Help: "All there is to know.", Example: "prog echo x",
			Flags: []Flag{
				{Name: "o", Value: "FILE", Help: "where to"},
				{Name: "format", Value: "NAME", Choices: []string{"text", "json"}, Help: "how"},
				{Name: "strict", Help: "strictly"},
			},
			Run: func(c *Call) error {
				fmt.Fprintf(c.Stdout, "args=%q o=%q format=%q strict=%v color=%v dir=%s\n",
					c.Args, c.Flag("o"), c.Flag("format"), c.On("strict"), c.Color(c.Stdout), filepath.Base(c.Dir))
				return nil
			},
		}},
	}
}

func run(t *testing.T, dir string, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err strings.Builder
	code = echo().Run(&Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Dir: dir,
		Getenv: func(name string) string { return env[name] },
	}, args)

	return code, out.String(), err.String()
}

func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args   string
		code   int
		stdout string // contained in stdout
		stderr string // contained in stderr
	}{
		{"echo", Done, `args=[] o="" format="" strict=false color=false dir=work`, ""},
		{"echo a --strict b -o f", Done, `args=["a" "b"] o="f" format="" strict=true`, ""},
		{"--strict echo a", Done, `args=["a"] o="" format="" strict=true`, ""},
		{"--format json echo -o=f", Done, `args=[] o="f" format="json"`, ""},
		{"echo -- --strict -x", Done, `args=["--strict" "-x"] o="" format="" strict=false`, ""},
		{"echo -", Done, `args=["-"]`, ""},
		{"--color=always echo", Done, `color=true`, ""},
		{"-C sub echo", Done, `dir=sub`, ""},
		{"-C .. -C work/sub echo", Done, `dir=sub`, ""},
		{"echo --help", Done, "example:\n  prog echo x\n", ""},
		{"echo -h", Done, "usage: prog echo [A] [B] [FLAGS]", ""},
		{"help echo", Done, "All there is to know.", ""},
		{"help", Done, "  echo  repeats", ""},
		{"--help", Done, "  echo  repeats", ""},
		{"", Usage, "", "  echo  repeats"},
		{"ehco", Usage, "", `prog: unknown command "ehco" (did you mean "echo"?)`},
		{"help ehco", Usage, "", `(did you mean "echo"?)`},
		{"zzzzzz", Usage, "", "prog: unknown command \"zzzzzz\"\n"},
		{"say x", Usage, "", `prog: there is no command "say": use prog echo`},
		{"echo --strikt", Usage, "", "prog: unknown flag --strikt (did you mean --strict?)\nprog echo --help shows how it is used\n"},
		{"echo -strict", Usage, "", "unknown flag -strict (did you mean --strict?)"},
		{"echo --zzzzzz=4", Usage, "", "prog: unknown flag --zzzzzz\n"},
		{"--strikt", Usage, "", "unknown flag --strikt (did you mean --strict?)"},
		{"echo --o f", Usage, "", "unknown flag --o (did you mean -o?)"},
		{"echo -o", Usage, "", "-o needs a value: -o FILE"},
		{"echo -o= x", Usage, "", "-o needs a value: -o FILE"},
		{"--echo", Usage, "", "prog: unknown flag --echo: echo is a command\n"},
		{"echo --strict=yes", Usage, "", "--strict takes no value"},
		{"echo --format jsno", Usage, "", `--format is text or json, not "jsno" (did you mean "json"?)`},
		{"echo --color maybe", Usage, "", `--color is auto, always or never, not "maybe"`},
		{"echo a b c", Usage, "", `"c" is one argument too many`},
		{"echo -C sub", Usage, "", "-C DIR comes before the command"},
		{"-C", Usage, "", "-C needs a folder"},
		{"-C nowhere echo", Usage, "", "-C nowhere: there is no such folder"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			code, stdout, stderr := run(t, dir, nil, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(stdout, test.stdout) || test.stdout == "" && stdout != "" {
				t.Errorf("stdout = %q, want %q", stdout, test.stdout)
			}
			if !strings.Contains(stderr, test.stderr) || test.stderr == "" && stderr != "" {
				t.Errorf("stderr = %q, want %q", stderr, test.stderr)
			}
		})
	}
}

func TestReadFlag(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var content string
	p := &Program{Name: "prog", Commands: []*Command{{
		Name: "read", Flags: []Flag{{Name: "from", Value: "FILE"}},
		Run: func(c *Call) error {
			text, err := c.ReadFlag("from")
			content = string(text)
			return err
		},
	}}}
	for name, code := range map[string]int{"file": Done, ".": Usage, "missing": Usage} {
		env := &Env{Stdout: new(strings.Builder), Stderr: new(strings.Builder), Dir: dir, Getenv: func(string) string { return "" }}
		if got := p.Run(env, []string{"read", "--from", name}); got != code {
			t.Errorf("%s: exit code %d, want %d: %s", name, got, code, env.Stderr)
		}
		if hasContent := content == "text"; hasContent != (code == Done) {
			t.Errorf("%s: read %q", name, content)
		}
	}
}

func TestModuleVersion(t *testing.T) {
	ours, other := "github.com/agentc-dev/agentc", "example.com/agents"
	for _, test := range []struct {
		main debug.Module
		deps []*debug.Module
		want string
	}{
		{debug.Module{Path: ours, Version: "v1.2.0"}, nil, "v1.2.0"},
		{debug.Module{Path: ours}, nil, "(devel)"},
		{debug.Module{Path: other, Version: "v0.1.0"}, []*debug.Module{{Path: ours, Version: "v1.2.0"}}, "v1.2.0"},
		{debug.Module{Path: other, Version: "v0.1.0"}, []*debug.Module{{Path: ours}}, "(devel)"},
		{debug.Module{Path: other, Version: "v0.1.0"}, nil, "(devel)"},
	} {
		if got := moduleVersion(&debug.BuildInfo{Main: test.main, Deps: test.deps}); got != test.want {
			t.Errorf("%v, %v: %q, want %q", test.main, test.deps, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	commands := []string{"generate", "check", "run", "build", "graph", "explain", "schema", "version"}
	for word, want := range map[string]string{
		"genrate": "generate", "chekc": "check", "rnu": "run", "grpah": "graph", "versoin": "version", "bild": "build",
		"deploy": "", "x": "", "": "",
	} {
		if got, _ := nearest.Name(word, commands); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestNullDeviceIsNoTerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if new(Env).IsTerminal(f) {
		t.Errorf("%s is a terminal", os.DevNull)
	}
}

func TestColor(t *testing.T) {
	plain := &strings.Builder{}
	tests := []struct {
		color, noColor, term string
		terminal             bool
		want                 bool
	}{
		{"", "", "xterm", true, true},
		{"auto", "", "xterm", true, true},
		{"", "1", "xterm", true, false},
		{"", "", "dumb", true, false},
		{"never", "", "xterm", true, false},
		{"always", "1", "dumb", true, true},
		{"", "", "xterm", false, false},
		{"always", "", "xterm", false, true},
	}
	for _, test := range tests {
		e := &Env{color: test.color, Getenv: func(name string) string {
			return map[string]string{"NO_COLOR": test.noColor, "TERM": test.term}[name]
		}}
		var w io.Writer = plain
		if test.terminal {
			terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
			if err != nil {
				t.Logf("no terminal here: %v", err)
				continue
			}
			defer terminal.Close()
			w = terminal
		}
		if got := e.Color(w); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestRel(t *testing.T) {
	e := &Env{Dir: filepath.FromSlash("/a/b")}
	for path, want := range map[string]string{"/a/b/c/d": "c/d", "/a/x": "../x", "/a/b": "."} {
		if got := e.Rel(filepath.FromSlash(path)); got != want {
			t.Errorf("Rel(%q) = %q, want %q", path, got, want)
		}
	}
}

// Colour is what --color says, else NO_COLOR, CLICOLOR_FORCE and the terminal, in this order; --quiet leaves warnings and errors.
func TestColorAndQuiet(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "false note warning ",
		"CLICOLOR_FORCE=1":                  "true note warning ",
		"CLICOLOR_FORCE=0":                  "false note warning ",
		"CLICOLOR_FORCE=1 NO_COLOR=1":       "false note warning ",
		"CLICOLOR_FORCE=1 TERM=dumb":        "true note warning ",
		"CLICOLOR_FORCE=1 --color=never":    "false note warning ",
		"NO_COLOR=1 --color always --quiet": "true warning ",
	} {
		var stdout, stderr strings.Builder
		vars, args := map[string]string{}, []string{"go"}
		for _, word := range strings.Fields(line) {
			if name, value, is := strings.Cut(word, "="); is && name[0] != '-' {
				vars[name] = value
			} else {
				args = append(args, word)
			}
		}
		env := &Env{Dir: t.TempDir(), Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return vars[name] }}
		p := &Program{Name: "x", Commands: []*Command{{Name: "go", Run: func(c *Call) error {
			fmt.Fprint(c.Stderr, c.Color(c.Stderr), " ")
			fmt.Fprint(c.Notes(), "note ")
			fmt.Fprint(c.Stderr, "warning ")
			return nil
		}}}}
		if p.Run(env, args); stderr.String() != want {
			t.Errorf("%s: %s, not %s", line, &stderr, want)
		}
	}
}
