//go:build !unix && !windows

package cli

// readerGone reports whether an error of writing means that the reader is gone, which cannot be
// known here.
func readerGone(error) bool { return false }
