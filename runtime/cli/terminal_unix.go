//go:build linux || darwin || freebsd || netbsd || dragonfly

package cli

import (
	"syscall"
	"unsafe"
)

// ioctl gets or sets the settings of a terminal, and reports whether that worked.
func ioctl(fd, request uintptr, settings *syscall.Termios) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(settings)))

	return errno == 0
}

// isTerminal asks for the terminal's settings, which only a terminal has; /dev/null is a character
// device too.
func isTerminal(fd uintptr) bool { return ioctl(fd, getSettings, &syscall.Termios{}) }

// readKeys has the terminal deliver single keys, unseen; an interrupt stays one.
func readKeys(fd uintptr) (restore func(), ok bool) {
	var before syscall.Termios
	if !ioctl(fd, getSettings, &before) {
		return nil, false
	}
	keys := before
	keys.Lflag &^= syscall.ICANON | syscall.ECHO
	keys.Cc[syscall.VMIN], keys.Cc[syscall.VTIME] = 1, 0

	return func() { ioctl(fd, setSettings, &before) }, ioctl(fd, setSettings, &keys)
}

// sizeOf asks the terminal; 0 where it does not know.
func sizeOf(fd uintptr) (columns, rows int) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}

	return int(size.columns), int(size.rows)
}

// enableEscapes reports whether the terminal obeys escape sequences: here all do whose TERM does
// not say otherwise.
func enableEscapes(uintptr) bool { return true }
