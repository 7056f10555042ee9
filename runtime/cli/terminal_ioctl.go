//go:build linux || darwin || freebsd || netbsd || dragonfly

package cli

import (
	"syscall"
	"unsafe"
)

// isTerminal asks for the terminal's settings, which only a terminal has; /dev/null is a character device too.
func isTerminal(fd uintptr) bool {
	var settings syscall.Termios
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, getSettings, uintptr(unsafe.Pointer(&settings)))

	return errno == 0
}
