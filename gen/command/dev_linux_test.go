package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// settings are those of a terminal.
func settings(t *testing.T, terminal *os.File) (s syscall.Termios) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&s))); errno != 0 {
		t.Fatal(errno)
	}

	return s
}

// TestDevKeys: on a terminal a key is enough, what it needs is a line, and at the end the terminal
// is as it was.
func TestDevKeys(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	person, program := ptytest.Open(t)
	before := settings(t, program)
	s := &devSession{t: t, ended: make(chan int, 1)}
	go func() { _, _ = io.Copy(s, person) }()
	env := &cli.Env{Stdin: program, Stdout: io.Discard, Stderr: program, Dir: unpack(t, t.TempDir(), critic, criticScript), Getenv: os.Getenv}
	go func() {
		s.ended <- runCatchingPanics(env, []string{"dev", "--addr", "127.0.0.1:0", "--script", "answers.yaml", ".", "x"})
	}()
	pressed := func(keys string) { fmt.Fprint(person, keys) }

	s.until(devKeys)
	s.until("done: 3 effects")
	pressed("r")
	s.until("done: 3 effects")
	pressed("f")
	s.until("from effect: ")
	pressed("2\r")
	if text := s.until("2 effects, 1 replayed"); !strings.HasPrefix(text, "2\r\n") { // what is typed then is seen, and nothing else is
		t.Errorf("%q", text)
	}
	pressed("R")
	s.until("task: ")
	pressed("another\r")
	s.until("done: 3 effects")
	pressed("\x1b[A\rx") // an arrow and Enter do nothing
	if text := s.until(devKeys); text != "\r\nwell done\r\n"+devKeys {
		t.Errorf("%q", text)
	}
	pressed("\x04")
	if code := <-s.ended; code != cli.Done {
		t.Errorf("exit code %d", code)
	}
	if after := settings(t, program); after != before {
		t.Errorf("the terminal was %v and is %v", before, after)
	}
}

// servingProcess returns the process of the program that this process has started to serve runs.
func servingProcess(t *testing.T) *os.Process {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // the process may have ended
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		_, behind, _ := strings.Cut(string(stat), ") ")
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if strings.HasPrefix(behind[min(len(behind), 2):], fmt.Sprint(os.Getpid(), " ")) && strings.Contains(string(args), "\x00serve\x00") {
			process, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			return process
		}
	}
	t.Fatal("no program serves")

	return nil
}

// TestDevProgramDies: a program that ends by itself is reported and started again, a few times;
// then saving a file starts it.
func TestDevProgramDies(t *testing.T) {
	s := startDev(t, unpack(t, t.TempDir(), critic, criticScript), "--script", "answers.yaml", ".", "x")
	s.until("done: 3 effects")
	for range mostRestarts {
		_ = servingProcess(t).Kill()
		s.until("the program has ended (signal: killed), and is started again;")
		s.until(devLines)
		s.typed("r")
		s.until("done: 3 effects")
	}
	_ = servingProcess(t).Kill()
	s.until("the program has ended (signal: killed), after 3 restarts:")
	s.until("save a file to build and start it")
	s.typed("r")
	s.until("the program is not running; save a file to build and start it again")
	s.save("agents/critic/AGENT.md", "Improves a text.", "Improves texts.")
	s.until(devLines)
	s.typed("r")
	s.until("done: 3 effects")
}

// TestDevPanics: a panic beside the loop ends it, so that the terminal is restored.
func TestDevPanics(t *testing.T) {
	d := &dev{work: make(chan func(context.Context), 1)}
	defer func() {
		if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "a fault\n") || !strings.Contains(v, "TestDevPanics") {
			t.Error(v)
		}
	}()
	d.startGuarded(func() { panic("a fault") })
	d.runLoop(t.Context())
}
