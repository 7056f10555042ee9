//go:build !linux && !darwin && !freebsd && !netbsd && !dragonfly && !windows

package cli

// isTerminal does not know how to ask on this system: plain output is right everywhere.
func isTerminal(uintptr) bool { return false }

// readKeys does not know how to ask either.
func readKeys(uintptr) (restore func(), ok bool) { return nil, false }
