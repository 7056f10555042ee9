package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"
)

var (
	kernel32                 = syscall.NewLazyDLL("kernel32.dll")
	createJobObject          = kernel32.NewProc("CreateJobObjectW")
	setInformationJobObject  = kernel32.NewProc("SetInformationJobObject")
	assignProcessToJobObject = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject       = kernel32.NewProc("TerminateJobObject")
)

// Rights to a process, and flags, as Windows has them.
const (
	processTerminate = 0x0001
	processSetQuota  = 0x0100
	createNoWindow   = 0x08000000
	killOnJobClose   = 0x2000
	extendedLimits   = 9
	exitStatus       = 1 // of what is ended with its job
)

// jobLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
type jobLimits struct {
	perProcessUserTimeLimit int64
	perJobUserTimeLimit     int64
	limitFlags              uint32
	minimumWorkingSetSize   uintptr
	maximumWorkingSetSize   uintptr
	activeProcessLimit      uint32
	affinity                uintptr
	priorityClass           uint32
	schedulingClass         uint32
	ioInfo                  [6]uint64
	processMemoryLimit      uintptr
	jobMemoryLimit          uintptr
	peakProcessMemoryUsed   uintptr
	peakJobMemoryUsed       uintptr
}

// group is a command with all that it starts: a job of Windows.
type group struct {
	cmd *exec.Cmd
	job syscall.Handle
}

// newGroup makes a command that ends with ctx. The command line is handed over as it is: the rules by which cmd reads it are
// its own.
func newGroup(ctx context.Context, command string) (*group, error) {
	job, _, err := createJobObject.Call(0, 0)
	if job == 0 {
		return nil, err
	}
	g := &group{job: syscall.Handle(job)}
	limits := jobLimits{limitFlags: killOnJobClose}
	ok, _, err := setInformationJobObject.Call(job, extendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits))
	if ok == 0 {
		_ = syscall.CloseHandle(g.job)

		return nil, err
	}

	g.cmd = exec.CommandContext(ctx, filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe"))
	g.cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine: `cmd.exe /d /s /c "` + command + `"`, HideWindow: true, CreationFlags: createNoWindow,
	}
	g.cmd.Cancel = func() error {
		_, _, _ = terminateJobObject.Call(uintptr(g.job), exitStatus)

		return g.cmd.Process.Kill()
	}

	return g, nil
}

// start starts the command. It is made a part of the job once it runs: what it starts in the moment before ends by itself.
func (g *group) start() error {
	if err := g.cmd.Start(); err != nil {
		_ = syscall.CloseHandle(g.job)

		return err
	}
	process, err := syscall.OpenProcess(processSetQuota|processTerminate, false, uint32(g.cmd.Process.Pid))
	if err == nil {
		_, _, _ = assignProcessToJobObject.Call(uintptr(g.job), uintptr(process))
		_ = syscall.CloseHandle(process)
	}

	return nil
}

// wait waits for the end of the command. What it has left behind ends with the job.
func (g *group) wait() error {
	err := g.cmd.Wait()
	_ = syscall.CloseHandle(g.job)

	return err
}

// environment is what a command knows of the program's environment: what Windows needs to start programs.
func environment(dir string, env func(string) (string, bool)) []string {
	own := []string{"HOME=" + dir, "USERPROFILE=" + dir, "TEMP=" + os.TempDir(), "TMP=" + os.TempDir()}
	for _, name := range []string{"PATH", "PATHEXT", "SystemRoot", "SystemDrive", "ComSpec"} {
		if value, ok := env(name); ok {
			own = append(own, name+"="+value)
		}
	}

	return own
}
