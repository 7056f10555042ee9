package client

import "syscall"

// endsWithUs has the system end a command when the thread that starts it ends, as all do when this program is killed.
func endsWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
