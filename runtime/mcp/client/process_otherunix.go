//go:build unix && !linux

package client

import "syscall"

// endsWithUs does nothing: when this program is killed, a command learns it by the end of its input.
func endsWithUs(*syscall.SysProcAttr) {}
