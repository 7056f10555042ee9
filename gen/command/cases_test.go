package command

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// TestScripts runs the cases of testdata/script: a txtar archive whose files are a folder, and
// whose comment says what to do in it, line by line:
//
//	agentc ARGS          run agentc; exit code 0 is expected
//	exit N               the run above had exit code N instead
//	stdout FILE          stdout was the file (stderr likewise); files in want/ are expectations and not in the folder
//	stdout-has TEXT      stdout held the text (stderr-has likewise)
//	quiet                nothing was on stdout (quiet-stderr: on stderr)
//	stdin FILE           the next run reads the file
//	edit FILE OLD NEW    replace a text in a file
//	exists, absent, rm   files
//	unchanged            no file of the folder changed since it was made
//	same FILE OTHER      two files have the same bytes
//
// Arguments may stand in single quotes. Empty lines and lines that begin with # say nothing.
func TestScripts(t *testing.T) {
	cases, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { runCase(t, path) })
	}
}

type scriptCase struct {
	t       *testing.T
	archive *txtar.Archive
	dir     string
	before  map[string]string

	stdin          string
	code           int
	stdout, stderr string
	checked        bool // the exit code was looked at
}

func runCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &scriptCase{t: t, archive: archive, dir: t.TempDir(), checked: true}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			s.write(f.Name, f.Data)
		}
	}
	s.before = tree(t, s.dir)
	for _, line := range strings.Split(string(archive.Comment), "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			s.line(line)
		}
	}
	s.check(0)
	if *casetest.Update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *scriptCase) write(name string, content []byte) {
	s.t.Helper()
	name = filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// line does one line of the comment.
func (s *scriptCase) line(line string) {
	s.t.Helper()
	words := split(line)
	file := func(i int) string { return filepath.Join(s.dir, filepath.FromSlash(words[i])) }
	switch words[0] {
	case "agentc":
		s.check(0)
		s.run(words[1:])
	case "exit":
		want, err := strconv.Atoi(words[1])
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		s.check(want)
	case "stdout":
		s.want(words[1], s.stdout)
	case "stderr":
		s.want(words[1], s.stderr)
	case "stdout-has", "stderr-has":
		text := map[string]string{"stdout-has": s.stdout, "stderr-has": s.stderr}[words[0]]
		if !strings.Contains(text, words[1]) {
			s.t.Errorf("%s, but it is:\n%s", line, text)
		}
	case "quiet", "quiet-stderr":
		if text := map[string]string{"quiet": s.stdout, "quiet-stderr": s.stderr}[words[0]]; text != "" {
			s.t.Errorf("%s: it says:\n%s", line, text)
		}
	case "stdin":
		s.stdin = s.read(words[1])
	case "edit":
		text := s.read(words[1])
		if !strings.Contains(text, words[2]) {
			s.t.Fatalf("%s: no such text", line)
		}
		s.write(words[1], []byte(strings.Replace(text, words[2], words[3], 1)))
	case "exists", "absent":
		if fileExists(file(1)) != (words[0] == "exists") {
			s.t.Errorf("%s: it is not so", line)
		}
	case "rm":
		if err := os.RemoveAll(file(1)); err != nil {
			s.t.Fatal(err)
		}
	case "same":
		if s.read(words[1]) != s.read(words[2]) {
			s.t.Errorf("%s: they differ", line)
		}
	case "unchanged":
		sameTree(s.t, s.before, tree(s.t, s.dir))
	default:
		s.t.Fatalf("unknown line %q", line)
	}
}

func (s *scriptCase) run(args []string) {
	var stdout, stderr bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(s.stdin), Stdout: &stdout, Stderr: &stderr, Dir: s.dir, Getenv: os.Getenv}
	s.code = runCatchingPanics(env, args)
	s.stdout, s.stderr = s.mask(stdout.String()), s.mask(stderr.String())
	s.stdin, s.checked = "", false
}

func (s *scriptCase) mask(text string) string { return strings.ReplaceAll(text, s.dir, "$WORK") }

// check looks at the exit code of the last run once.
func (s *scriptCase) check(want int) {
	s.t.Helper()
	if !s.checked && s.code != want {
		s.t.Errorf("exit code %d, want %d; stdout:\n%s\nstderr:\n%s", s.code, want, s.stdout, s.stderr)
	}
	s.checked = true
}

func (s *scriptCase) read(name string) string {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}

	return string(content)
}

func (s *scriptCase) want(name, got string) {
	s.t.Helper()
	if *casetest.Update {
		for i, f := range s.archive.Files {
			if f.Name == name {
				s.archive.Files[i].Data = []byte(got)
				return
			}
		}
		s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(got)})
		return
	}
	for _, f := range s.archive.Files {
		if f.Name == name && string(f.Data) != got {
			s.t.Errorf("got:\n%s\nwant %s:\n%s", got, name, f.Data)
			return
		} else if f.Name == name {
			return
		}
	}
	s.t.Errorf("the case has no file %s", name)
}

// split cuts a line into words; single quotes hold one together.
func split(line string) []string {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '\'' {
			word, rest, _ := strings.Cut(line[1:], "'")
			words, line = append(words, word), rest
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		words, line = append(words, word), rest
	}

	return words
}

// tree returns the files of a folder with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	return files
}

func sameTree(t *testing.T, before, after map[string]string) {
	t.Helper()
	for name, content := range after {
		if old, ok := before[name]; !ok {
			t.Errorf("%s was written", name)
		} else if old != content {
			t.Errorf("%s was changed", name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			t.Errorf("%s was removed", name)
		}
	}
}
