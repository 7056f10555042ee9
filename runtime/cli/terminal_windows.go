package cli

import "syscall"

// isTerminal asks for the console's mode, which only a console has.
func isTerminal(fd uintptr) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(fd), &mode) == nil
}

// linesAndEcho are ENABLE_LINE_INPUT and ENABLE_ECHO_INPUT.
const linesAndEcho = 2 | 4

// readKeys has the console deliver single keys, unseen; an interrupt stays one.
func readKeys(fd uintptr) (restore func(), ok bool) {
	var before uint32
	if syscall.GetConsoleMode(syscall.Handle(fd), &before) != nil {
		return nil, false
	}
	worked, _, _ := setConsoleMode.Call(fd, uintptr(before&^linesAndEcho))

	return func() { _, _, _ = setConsoleMode.Call(fd, uintptr(before)) }, worked != 0
}
