//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// readerGone reports whether an error of writing means that the reader is gone. To the process's
// own stdout that is a signal as a rule, by which the process ends.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
