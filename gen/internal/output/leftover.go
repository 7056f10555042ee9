package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"sync/atomic"
	"syscall"
)

var temporaries atomic.Int64

// temporaryName returns an unused name in the folder of name. It begins with a dot, so that the go
// command ignores the file if the process dies before it is renamed.
func temporaryName(name string) string {
	return path.Join(path.Dir(name), fmt.Sprintf(".%s.%d-%d.tmp", path.Base(name), os.Getpid(), temporaries.Add(1)))
}

// leftoverGo matches temporary names of generated files, with the process and the number of the
// file.
var leftoverGo = regexp.MustCompile(`^\..+_gen(?:_test)?\.go\.([0-9]+)-([0-9]+)\.tmp$`)

// leftoverPattern matches temporary names of one file.
func leftoverPattern(base string) *regexp.Regexp {
	return regexp.MustCompile(`^\.` + regexp.QuoteMeta(base) + `\.([0-9]+)-([0-9]+)\.tmp$`)
}

// removeLeftovers removes temporary files, whose names match, of processes that ended before
// renaming them. A missing folder has none.
func removeLeftovers(fsys FS, dir string, names *regexp.Regexp) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isLeftover(e.Name(), names) {
			continue
		}
		if err := fsys.Remove(path.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}

	return nil
}

// isLeftover reports whether a file is a temporary file of an ended process. A process in an
// unknown state counts as running.
func isLeftover(name string, names *regexp.Regexp) bool {
	form := names.FindStringSubmatch(name)
	if form == nil {
		return false
	}
	pid, err := strconv.Atoi(form[1])
	number, err2 := strconv.ParseInt(form[2], 10, 64)
	if err != nil || err2 != nil || pid == 0 {
		return false
	}
	if pid == os.Getpid() { // in a container, every process may have this id
		return number > temporaries.Load()
	}

	process, err := os.FindProcess(pid)
	if err != nil {
		return true // on some systems a process is opened to be found
	}
	defer process.Release()

	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
