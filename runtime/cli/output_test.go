package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fills is a disk that is full after so many bytes.
type fills struct {
	room  int
	text  strings.Builder
	asked int
}

var errFull = errors.New("disk full")

func (f *fills) Write(p []byte) (int, error) {
	f.asked++
	n := min(len(p), f.room)
	f.room -= n
	f.text.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}

	return n, nil
}

// printer is a program of one command, which does what print does.
func printer(print func(c *Call) error) *Program {
	return &Program{Name: "prog", Summary: "prog prints.", Commands: []*Command{{Name: "print", Example: "prog print", Run: print}}}
}

// What cannot be written is a failure that is reported once, whether the command looks or not.
func TestWhatCannotBeWritten(t *testing.T) {
	looks := printer(func(c *Call) error {
		if _, err := io.WriteString(c.Stdout, "text"); err != nil {
			return c.Errorf(Failure, "it is gone: %w", fmt.Errorf("text: %w", err))
		}
		return nil
	})
	blind := func(code int) *Program {
		return printer(func(c *Call) error {
			for range 3 {
				fmt.Fprint(c.Stdout, "text")
			}
			return c.Exit(code)
		})
	}
	for _, tt := range []struct {
		name, args, stderr string
		program            *Program
	}{
		{"help", "--help", "prog: disk full\n", blind(Done)},
		{"help of a command", "print --help", "prog: disk full\n", blind(Done)},
		{"help with a command", "help print", "prog: disk full\n", blind(Done)},
		{"done", "print", "prog: disk full\n", blind(Done)},
		{"a problem", "print", "prog: disk full\n", blind(Problem)},
		{"a pause", "print", "prog: disk full\n", blind(Paused)},
		{"a command that looks", "print", "prog: it is gone: text: disk full\n", looks},
	} {
		out := &fills{room: 2}
		var stderr strings.Builder
		code := tt.program.Run(&Env{Stdout: out, Stderr: &stderr, Getenv: os.Getenv}, strings.Fields(tt.args))
		if code != Failure || stderr.String() != tt.stderr || out.asked != 1 {
			t.Errorf("%s: exit code %d after %d writes, stderr %q, want %q", tt.name, code, out.asked, stderr.String(), tt.stderr)
		}
	}
}

// What has been written stays as it is: the command's own exit code, and nothing on stderr.
func TestWhatIsWritten(t *testing.T) {
	p := printer(func(c *Call) error {
		_, err := io.WriteString(c.Stdout, "text")
		return c.Errorf(Problem, "%v", err)
	})
	out := &fills{room: 4}
	var stderr strings.Builder
	if code := p.Run(&Env{Stdout: out, Stderr: &stderr, Getenv: os.Getenv}, []string{"print"}); code != Problem || out.text.String() != "text" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out.text.String(), stderr.String())
	}
}

// The file below stdout is found: colour and children need it.
func TestFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var found *os.File
	p := printer(func(c *Call) error {
		found, _ = c.File(c.Stdout)
		return nil
	})
	p.Run(&Env{Stdout: file, Stderr: io.Discard, Getenv: os.Getenv}, []string{"print"})
	if found != file {
		t.Errorf("found %v, want %v", found, file)
	}
	if _, ok := new(Env).File(&output{w: &fills{}}); ok {
		t.Error("what is no file is one")
	}
}
