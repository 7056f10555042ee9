package frontend

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// NotFile says what is where a file is read and is none, such as a folder; "" for a file, also behind a link inside the project. Of
// what is no file nothing is read: a named pipe would be waited for. The error is that of a file system that does not know.
func NotFile(fsys fs.FS, path string) (what string, err error) {
	if link := source.Escape(fsys, path); link != "" {
		return fmt.Sprintf("behind %q, a symbolic link out of the project", link), nil
	}
	info, err := fs.Stat(fsys, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "a link that leads nowhere", nil
	case err != nil:
		return "", err
	}

	return NotRegular(info.Mode()), nil
}

// NotRegular says what has a mode that is not a file's; "" for a file.
func NotRegular(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}

	return "no file"
}
