//go:build unix

package panel

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSize says when the terminal changes its size, until forget is called.
func watchSize() (changed <-chan os.Signal, forget func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH)

	return signals, func() { signal.Stop(signals) }
}
