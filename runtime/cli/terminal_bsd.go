//go:build darwin || freebsd || netbsd || dragonfly

package cli

import "syscall"

const getSettings, setSettings = syscall.TIOCGETA, syscall.TIOCSETA
