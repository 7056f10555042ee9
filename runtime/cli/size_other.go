//go:build !linux && !darwin && !freebsd && !netbsd && !dragonfly && !windows

package cli

// sizeOf does not know how to ask on this system.
func sizeOf(uintptr) (columns, rows int) { return 0, 0 }

// draws is false where a terminal cannot be distinguished from a file.
func draws(uintptr) bool { return false }
