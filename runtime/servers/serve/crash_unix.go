//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package serve

import "syscall"

// noCore keeps the memory of the process, which has keys and conversations in it, from being written to a file when it crashes.
func noCore() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) // a soft limit can always be lowered
	}
}
