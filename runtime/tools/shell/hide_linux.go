package shell

import (
	"sync"
	"syscall"
)

// setDumpable is PR_SET_DUMPABLE of prctl.
const setDumpable = 4

// hideProgram keeps commands from reading this program's environment and memory in /proc, where keys are: a process that is not
// dumpable is opened to no other process of its user. The commands themselves are as usual, since that ends with exec.
var hideProgram = sync.OnceFunc(func() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0) // where it is forbidden, nothing is lost
})
