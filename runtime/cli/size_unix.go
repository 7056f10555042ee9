//go:build linux || darwin || freebsd || netbsd || dragonfly

package cli

import (
	"syscall"
	"unsafe"
)

// sizeOf asks the terminal; 0 where it does not know.
func sizeOf(fd uintptr) (columns, rows int) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}

	return int(size.columns), int(size.rows)
}

// draws reports whether the terminal obeys escape sequences: here all do whose TERM does not say otherwise.
func draws(uintptr) bool { return true }
