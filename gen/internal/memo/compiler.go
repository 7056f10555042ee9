package memo

import (
	"fmt"
	"os"
	"runtime/debug"
)

// Compiler names the running executable: by its version, and by its file, which is another one whenever it is built or installed again.
func Compiler() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	version, _ := debug.ReadBuildInfo()

	return fmt.Sprint(name, " ", file.Size(), " ", file.ModTime().UnixNano(), "\n", version), nil
}
