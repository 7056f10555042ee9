//go:build unix

package access

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner returns why others than the user of this process and root can have written a file; "" if they cannot.
func checkOwner(info fs.FileInfo) (problem string) {
	if !info.Mode().IsRegular() {
		return "it is not a file"
	}
	if perm := info.Mode().Perm(); perm&0o022 != 0 {
		return fmt.Sprintf("others can write it (mode %04o), and could give themselves any right: chmod go-w", perm)
	}
	system, ok := info.Sys().(*syscall.Stat_t)
	if ok && system.Uid != 0 && int64(system.Uid) != int64(os.Geteuid()) {
		return fmt.Sprintf("it belongs to user %d, who could give any right: it has to belong to the user of this process, %d, or to root",
			system.Uid, os.Geteuid())
	}

	return ""
}
