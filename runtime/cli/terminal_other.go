//go:build !linux && !darwin && !freebsd && !netbsd && !dragonfly && !windows

package cli

// isTerminal does not know how to ask on this system: plain output is right everywhere.
func isTerminal(uintptr) bool { return false }

// readKeys does not know how to ask either.
func readKeys(uintptr) (restore func(), ok bool) { return nil, false }

// sizeOf does not know how to ask on this system.
func sizeOf(uintptr) (columns, rows int) { return 0, 0 }

// enableEscapes reports false where a terminal cannot be distinguished from a file.
func enableEscapes(uintptr) bool { return false }
