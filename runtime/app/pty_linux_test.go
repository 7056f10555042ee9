package app

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// openPTY returns the two ends of a new terminal: what a person sees and types, and what a program has.
func openPTY(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	var unlock, number uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skipf("no terminals here: %v", errno)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = program.Close() })

	return person, program
}

// TestAPersonAnswersOnTheTerminal: the question is asked where the person is, an answer that is none is asked for again, and
// the value alone comes out.
func TestAPersonAnswersOnTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TERM", "xterm")
	person, program := openPTY(t)
	seen := make(chan string)
	go func() {
		answers := []string{"perhaps\n", "YES\n"}
		var all strings.Builder
		buffer := make([]byte, 1024)
		for {
			n, err := person.Read(buffer)
			all.Write(buffer[:n])
			if len(answers) > 0 && strings.HasSuffix(all.String(), "approve> ") {
				_, _ = person.WriteString(answers[0])
				answers = answers[1:]
			}
			if err != nil || strings.Contains(all.String(), "END") {
				seen <- all.String()
				return
			}
		}
	}()

	var out strings.Builder
	code := Run(desk{}, []string{"run", "--agent", "approve", "money"}, program, &out, program)
	_, _ = program.WriteString("END")
	if code != cli.Done || out.String() != "yes to money\n" {
		t.Errorf("exit code %d, stdout %q", code, out.String())
	}
	select {
	case screen := <-seen:
		for _, want := range []string{"channel: email", "May I?", "(yes, no)", "Please answer with one of: yes, no"} {
			if !strings.Contains(screen, want) {
				t.Errorf("the terminal lacks %q: %q", want, screen)
			}
		}
	case <-time.After(10 * time.Second):
		t.Error("the terminal went silent")
	}
}
