//go:build !unix

package panel

import "os"

// resizes says nothing here: the size is asked for whenever the panel is drawn.
func resizes() (changed <-chan os.Signal, forget func()) { return nil, func() {} }
