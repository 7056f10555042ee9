package memo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// question is something that a compilation asked the project folder, and a digest of the answer.
type question struct {
	Kind   kind
	Path   string
	Answer [sha256.Size]byte
}

type kind uint8

const (
	readFile kind = iota + 1
	readDir
	stat
	lstat
)

// asker is the project folder for one compilation: it answers from fsys and writes every question
// down. A compilation may depend on what is digested of the answers, and on nothing else: not on
// times, and not on what a folder says of its entries but their kinds.
type asker struct {
	fsys  fs.FS
	asked []question
	// lost says that a question could not be written down: the compilation must not be remembered.
	lost bool
}

// Open implements [fs.FS]. What is read through an open file is not written down.
func (a *asker) Open(name string) (fs.File, error) {
	a.lost = true

	return a.fsys.Open(name)
}

// ReadFile implements [fs.ReadFileFS].
func (a *asker) ReadFile(name string) ([]byte, error) {
	content, err := fs.ReadFile(a.fsys, name)
	a.note(readFile, name, content, err)

	return content, err
}

// ReadDir implements [fs.ReadDirFS]. Generated Go is left out: it is not a source, and it comes and
// goes with what is written.
func (a *asker) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(a.fsys, name)
	var text strings.Builder
	var entries []fs.DirEntry
	for _, e := range all {
		if e.Type().IsRegular() && (strings.HasSuffix(e.Name(), "_gen.go") || strings.HasSuffix(e.Name(), "_gen_test.go")) {
			continue
		}
		entries = append(entries, e)
		fmt.Fprintf(&text, "%s\x00%s\x00", e.Name(), e.Type())
	}
	a.note(readDir, name, []byte(text.String()), err)

	return entries, err
}

// Stat implements [fs.StatFS].
func (a *asker) Stat(name string) (fs.FileInfo, error) { return a.info(stat, fs.Stat, name) }

// Lstat implements [fs.ReadLinkFS].
func (a *asker) Lstat(name string) (fs.FileInfo, error) { return a.info(lstat, fs.Lstat, name) }

// ReadLink implements [fs.ReadLinkFS]. Where a link leads is not written down.
func (a *asker) ReadLink(name string) (string, error) {
	a.lost = true

	return fs.ReadLink(a.fsys, name)
}

func (a *asker) info(kind kind, get func(fs.FS, string) (fs.FileInfo, error), name string) (fs.FileInfo, error) {
	info, err := get(a.fsys, name)
	answer := ""
	if err == nil {
		answer = fmt.Sprintf("%s\x00%s", info.Name(), info.Mode().Type())
		if info.Mode().IsRegular() {
			answer += fmt.Sprint("\x00", info.Size())
		}
	}
	a.note(kind, name, []byte(answer), err)

	return info, err
}

// note writes a question down. That something is not there is an answer; any other error is not one
// to be remembered.
func (a *asker) note(kind kind, path string, answer []byte, err error) {
	q := question{Kind: kind, Path: path}
	switch {
	case err == nil:
		q.Answer = sha256.Sum256(append([]byte("is "), answer...))
	case errors.Is(err, fs.ErrNotExist):
		q.Answer = sha256.Sum256([]byte("is not"))
	default:
		a.lost = true
	}
	a.asked = append(a.asked, q)
}

// same asks fsys the questions again and reports whether every answer is the same.
func same(fsys fs.FS, asked []question) bool {
	again := &asker{fsys: fsys, asked: make([]question, 0, len(asked))}
	for i, q := range asked {
		// The answer is in again.asked, an error included.
		switch q.Kind {
		case readFile:
			_, _ = again.ReadFile(q.Path)
		case readDir:
			_, _ = again.ReadDir(q.Path)
		case stat:
			_, _ = again.Stat(q.Path)
		case lstat:
			_, _ = again.Lstat(q.Path)
		default:
			return false
		}
		if again.lost || again.asked[i] != q {
			return false
		}
	}

	return true
}
