package cli

import "syscall"

// isTerminal asks for the console's mode, which only a console has.
func isTerminal(fd uintptr) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(fd), &mode) == nil
}
