//go:build unix

package panel

import (
	"os"
	"os/signal"
	"syscall"
)

// resizes says when the terminal changes its size, until forget is called.
func resizes() (changed <-chan os.Signal, forget func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH)

	return signals, func() { signal.Stop(signals) }
}
