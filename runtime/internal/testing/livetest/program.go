package livetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Program is the example, built.
type Program struct {
	// Folder has the program and the server of its skill.
	Folder string
}

// Build builds the example, whose sources are at the path, as its page says.
func Build(source string) (Program, error) {
	folder, err := os.MkdirTemp("", "researcher-*")
	if err != nil {
		return Program{}, err
	}
	out, err := exec.Command("go", "build", "-C", source, "-o", folder+string(filepath.Separator), "./...").CombinedOutput()
	if err != nil {
		return Program{}, errors.Join(fmt.Errorf("go build: %w\n%s", err, out), os.RemoveAll(folder))
	}

	return Program{folder}, nil
}

// Remove removes what was built.
func (p Program) Remove() error { return os.RemoveAll(p.Folder) }

// Install makes a folder one in which the program can run: the server of its skill is in bin there.
func (p Program) Install(folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, "bin"), 0o755); err != nil {
		return err
	}

	return os.Link(p.executablePath("archive"), filepath.Join(folder, "bin", filepath.Base(p.executablePath("archive"))))
}

func (p Program) executablePath(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}

	return filepath.Join(p.Folder, name)
}

// Command is the program in a folder, with nothing in its environment but what is given and what
// every program needs.
func (p Program) Command(folder string, environment []string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(p.executablePath("researcher"), arguments...)
	cmd.Dir = folder
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, environment...)

	return cmd
}

// Ran is what came of running the program.
type Ran struct {
	Stdout, Stderr string
	Exit           int
}

// Run runs a command to its end. An exit code is no error.
func Run(cmd *exec.Cmd) (Ran, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Ran{}, err
	}

	return Ran{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}, nil
}

// Event is a line of --json.
type Event struct {
	Event, Name, Text, Value, Model, Result, Error string
	FinishReason                                   string `json:"finish_reason"`
	Tokens                                         struct{ Input, Output, Cached, Stored int }
}

// Events are the lines of --json.
func (r Ran) Events() (all []Event, err error) {
	for line := range strings.Lines(r.Stdout) {
		var e Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		all = append(all, e)
	}

	return all, nil
}
