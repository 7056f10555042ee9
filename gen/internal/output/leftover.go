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

// temporaryName returns a name beside name that is not used. It begins with a dot, so that the go
// command ignores the file should the process die before it is renamed.
func temporaryName(name string) string {
	return path.Join(path.Dir(name), fmt.Sprintf(".%s.%d-%d.tmp", path.Base(name), os.Getpid(), temporaries.Add(1)))
}

// leftoverGo is the form of these names for generated files: the process, and the number of the
// file in it.
var leftoverGo = regexp.MustCompile(`^\..+_gen(?:_test)?\.go\.([0-9]+)-([0-9]+)\.tmp$`)

// leftoverOf is their form for one file.
func leftoverOf(base string) *regexp.Regexp {
	return regexp.MustCompile(`^\.` + regexp.QuoteMeta(base) + `\.([0-9]+)-([0-9]+)\.tmp$`)
}

// removeLeftovers removes the temporary files, with names of a form, of processes that died before
// they could rename them. A folder that is not there has none.
func removeLeftovers(fsys FS, dir string, names *regexp.Regexp) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !leftover(e.Name(), names) {
			continue
		}
		if err := fsys.Remove(path.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}

	return nil
}

// leftover reports whether a file is a temporary one that no process is going to rename. A process
// that cannot be asked about counts as alive.
func leftover(name string, names *regexp.Regexp) bool {
	form := names.FindStringSubmatch(name)
	if form == nil {
		return false
	}
	pid, err := strconv.Atoi(form[1])
	number, err2 := strconv.ParseInt(form[2], 10, 64)
	if err != nil || err2 != nil || pid == 0 {
		return false
	}
	if pid == os.Getpid() { // in a container, every run may have the same
		return number > temporaries.Load()
	}

	process, err := os.FindProcess(pid)
	if err != nil {
		return true // only where a process is opened to be found
	}
	defer process.Release()

	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
