//go:build unix

package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/tools"
)

func open(t testing.TB, k Tools) compiled.BuiltinTools {
	t.Helper()
	set, err := tools.On(k)(nil)
	if err != nil {
		t.Fatal(err)
	}

	return set
}

func run(t testing.TB, set compiled.BuiltinTools, command string) runtime.ToolResult {
	t.Helper()
	result, ok, err := set.Run(context.Background(), call(command))
	if !ok || err != nil {
		t.Fatalf("%s: %v, %v", command, ok, err)
	}

	return result
}

func call(command string) runtime.ToolCall {
	args, _ := json.Marshal(map[string]string{"command": command})

	return runtime.ToolCall{Agent: "a", Tool: rt.Builtin("bash"), Args: args}
}

func TestCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	set := open(t, Tools{Dir: dir})
	for command, want := range map[string]runtime.ToolResult{
		"echo hello":                       {Text: "hello\n"},
		"printf out; printf err >&2":       {Text: "out\n[stderr]\nerr"},
		"printf err >&2":                   {Text: "[stderr]\nerr"},
		"true":                             {Text: "The command printed nothing."},
		"":                                 {Text: "The command printed nothing."},
		"pwd":                              {Text: dir + "\n"},
		"echo text > f; cat f":             {Text: "text\n"},
		"cat":                              {Text: "The command printed nothing."},
		"test -t 0 || test -t 1 || echo n": {Text: "n\n"},
		`printf '\377x'`:                   {Text: "\ufffdx"},
		"exit 3":                           {Problem: "the command failed: exit status 3"},
		"echo out; echo err >&2; exit 3":   {Problem: "the command failed: exit status 3; it printed:\n\nout\n[stderr]\nerr\n"},
		"kill -TERM $$":                    {Problem: "the command failed: signal: terminated"},
		"echo a\x00b":                      {Problem: "the command failed: it has a NUL character"},
	} {
		if got := run(t, set, command); got != want {
			t.Errorf("%q: %+v, want %+v", command, got, want)
		}
	}

	for _, command := range []string{"-x", "--", "--version", "-c 'echo yes'"} {
		if got := run(t, set, command); !strings.Contains(got.Problem, "exit status") || strings.Contains(got.Problem, "yes\n") {
			t.Errorf("%q is an option of the shell: %+v", command, got)
		}
	}
	if got := run(t, set, "echo "+strings.Repeat("x", 1<<20)); !strings.Contains(got.Problem, "argument list too long") {
		t.Errorf("a command of a million letters: %.200q, %.200q", got.Text, got.Problem)
	}
}

// TestEnvironment: what a command knows is written down, and nothing else.
func TestEnvironment(t *testing.T) {
	t.Setenv("SOME_API_KEY", "sk-0123456789")
	t.Setenv("BASH_ENV", "/nowhere")
	dir := t.TempDir()
	got := run(t, open(t, Tools{Dir: dir}), "env | grep -v -e ^_= -e ^SHLVL= -e ^OLDPWD= | sort")
	want := []string{"HOME=" + dir, "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "PWD=" + dir, "TERM=dumb", "TMPDIR=" + os.TempDir()}
	if lines := strings.Split(strings.TrimSpace(got.Text), "\n"); !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}

	none := environment("/w", func(string) (string, bool) { return "", false })
	if !slices.Contains(none, "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin") {
		t.Errorf("without PATH: %q", none)
	}
}

func TestFlood(t *testing.T) {
	set := open(t, Tools{Dir: t.TempDir(), MaxOutput: 1000})
	got := run(t, set, "head -c 20000000 /dev/zero | tr '\\0' x; head -c 5000000 /dev/zero | tr '\\0' y >&2")
	half := strings.Repeat("x", 500)
	if want := half + "\n[19999000 bytes are left out here]\n" + half; !strings.HasPrefix(got.Text, want) {
		t.Errorf("%.100q", got.Text)
	}
	if !strings.Contains(got.Text, "\n[stderr]\nyyy") || len(got.Text) > 2200 {
		t.Errorf("%d bytes", len(got.Text))
	}
}

// living reports whether a process does anything any more.
func living(pid int) bool {
	stat, err := exec.Command("ps", "-o", "stat=", "-p", fmt.Sprint(pid)).Output()

	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(stat)), "Z") && len(strings.TrimSpace(string(stat))) > 0
}

// gone waits until a process is; the test's own time ends a wait in vain.
func gone(pid int) {
	for living(pid) {
		time.Sleep(time.Millisecond)
	}
}

// TestNothingIsLeft: what a command starts ends with it, however it ends.
func TestNothingIsLeft(t *testing.T) {
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip(err)
	}
	for name, command := range map[string]string{
		"in the background":  "sleep 1000 & echo $!",
		"without an output":  "sleep 1000 </dev/null >/dev/null 2>&1 & echo $!",
		"of a child":         "(sleep 1000 & echo $!)",
		"that will not hear": "sh -c 'trap \"\" TERM HUP INT; sleep 1000' & echo $!",
		"nohup":              "nohup sleep 1000 >/dev/null 2>&1 & echo $!",
	} {
		got := run(t, open(t, Tools{Dir: t.TempDir()}), command)
		var pid int
		if _, err := fmt.Sscan(got.Text, &pid); err != nil {
			t.Errorf("%s: %+v", name, got)

			continue
		}
		gone(pid)
	}
}

func TestTimeout(t *testing.T) {
	set := open(t, Tools{Dir: t.TempDir(), Timeout: 300 * time.Millisecond})
	for _, command := range []string{
		"echo begun; sleep 1000",
		"trap '' TERM INT HUP; echo begun; while true; do sleep 1000; done",
		"echo begun; sleep 1000 & wait",
		"echo begun; (sleep 1000; echo end) | cat",
	} {
		if got := run(t, set, command); got.Problem != "the command was ended after 300ms; it printed:\n\nbegun\n" {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if got := run(t, set, "yes"); !strings.Contains(got.Problem, "bytes are left out here") {
		t.Errorf("an endless flood: %.200q", got.Problem)
	}
}

// TestIndependentProcess: one that leaves the group keeps the outputs open, and holds nobody up.
func TestIndependentProcess(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	got := run(t, open(t, Tools{Dir: t.TempDir()}), "setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.1")
	var pid int
	if _, err := fmt.Sscan(got.Text, &pid); err != nil || pid < 2 {
		t.Fatalf("%+v", got)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("it ended with the command, which the page denies: %v", err)
	}
}

func TestCancel(t *testing.T) {
	set := open(t, Tools{Dir: t.TempDir()})
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	dir := t.TempDir()
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				cancel(stopped)

				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	got, ok, err := set.Run(ctx, call("touch "+dir+"/begun; sleep 1000"))
	if !ok || !errors.Is(err, stopped) || got != (runtime.ToolResult{}) {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
}

func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"": "needs files.root, the folder in which commands run", file: "is not a folder"} {
		_, err := tools.On(Tools{Dir: dir})(nil)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || bad.Problem != want {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

// snoopVariable makes the test program the one that is spied on.
const snoopVariable = "AGENTC_TEST_SNOOP_API_KEY"

// TestProgramIsHidden: a command cannot read the keys of the program that runs it, unless root is who runs both.
func TestProgramIsHidden(t *testing.T) {
	if dir := os.Getenv("AGENTC_TEST_SNOOP_DIR"); dir != "" {
		set := open(t, Tools{Dir: dir})
		fmt.Print(run(t, set, "tr '\\0' '\\n' < /proc/$PPID/environ; head -c 10 /proc/$PPID/mem; echo; tr '\\0' '\\n' < /proc/$$/environ"))

		return
	}
	if goruntime.GOOS != "linux" {
		t.Skip("only Linux has /proc")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "snoop") // one that another user may use
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "program")
	if err := errors.Join(os.WriteFile(copied, text, 0o755), os.Chmod(dir, 0o777), os.Chmod(copied, 0o755)); err != nil {
		t.Fatal(err)
	}

	cmd := exec.Command(copied, "-test.run=^TestProgramIsHidden$")
	cmd.Env = []string{snoopVariable + "=sk-0123456789", "AGENTC_TEST_SNOOP_DIR=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = dir
	if os.Getuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	printed, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if strings.Contains(string(printed), "sk-0123456789") || strings.Count(string(printed), "Permission denied") != 2 {
		t.Errorf("a command read:\n%s", printed)
	}
	if !strings.Contains(string(printed), "TERM=dumb") {
		t.Errorf("a command cannot read what is its own:\n%s", printed)
	}
}

// A command ends with the program, also one that is killed, and so does what the command has started.
func TestCommandEndsWithKilledProgram(t *testing.T) {
	if dir := os.Getenv("SHELL_TEST_DIR"); dir != "" { // the program
		run(t, open(t, Tools{Dir: dir}), "sleep 300 & echo begun >&3; sleep 300; echo")
		return
	}
	seen, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(os.Args[0], "-test.run=^TestCommandEndsWithKilledProgram$")
	program.Env = append(os.Environ(), "SHELL_TEST_DIR="+t.TempDir())
	program.ExtraFiles = []*os.File{held} // descriptor 3 of the program and of all that it starts
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	_ = held.Close()
	_ = seen.SetReadDeadline(time.Now().Add(time.Minute)) // the commands sleep longer
	line := make([]byte, len("begun\n"))
	if _, err := io.ReadFull(seen, line); err != nil {
		t.Fatal(err)
	}
	_ = program.Process.Kill()
	_ = program.Wait()
	if _, err := io.ReadAll(seen); err != nil { // it ends when no process has the other end
		t.Errorf("a command outlives the program: %v", err)
	}
}

// A program that runs as root warns about bash, and about no other tool.
func TestWarningAsRoot(t *testing.T) {
	defer func() { userID = os.Geteuid }()
	for user, isWarned := range map[int]bool{0: true, 1000: false, -1: false} {
		userID = func() int { return user }
		warner := open(t, Tools{Dir: t.TempDir()}).(interface{ Warning(tool string) string })
		if got := warner.Warning("bash"); strings.Contains(got, "runs as root") != isWarned {
			t.Errorf("user %d: %q", user, got)
		}
		if got := warner.Warning("http_get"); got != "" {
			t.Errorf("user %d: %q", user, got)
		}
	}
}
