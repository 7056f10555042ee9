//go:build !unix

package panel

import "os"

// watchSize says nothing here: the size is asked for whenever the panel is drawn.
func watchSize() (changed <-chan os.Signal, forget func()) { return nil, func() {} }
