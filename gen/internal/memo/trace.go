package memo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// question is a question of a compilation to the project folder, with a digest of the answer.
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

// recorder is the project folder for one compilation. It answers from fsys and records every
// question. A compilation must depend only on what the digests cover: not on times, and of the
// entries of folders only on their names and kinds.
type recorder struct {
	fsys      fs.FS
	questions []question
	// isIncomplete is set if a question could not be recorded: then the compilation must not be
	// remembered.
	isIncomplete bool
}

// Open implements [fs.FS]. Reads through an open file are not recorded.
func (a *recorder) Open(name string) (fs.File, error) {
	a.isIncomplete = true

	return a.fsys.Open(name)
}

// ReadFile implements [fs.ReadFileFS].
func (a *recorder) ReadFile(name string) ([]byte, error) {
	content, err := fs.ReadFile(a.fsys, name)
	a.recordAnswer(readFile, name, content, err)

	return content, err
}

// ReadDir implements [fs.ReadDirFS]. It omits generated Go, which is not a source and changes when
// files are written.
func (a *recorder) ReadDir(name string) ([]fs.DirEntry, error) {
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
	a.recordAnswer(readDir, name, []byte(text.String()), err)

	return entries, err
}

// Stat implements [fs.StatFS].
func (a *recorder) Stat(name string) (fs.FileInfo, error) { return a.recordInfo(stat, fs.Stat, name) }

// Lstat implements [fs.ReadLinkFS].
func (a *recorder) Lstat(name string) (fs.FileInfo, error) {
	return a.recordInfo(lstat, fs.Lstat, name)
}

// ReadLink implements [fs.ReadLinkFS]. The targets of links are not recorded.
func (a *recorder) ReadLink(name string) (string, error) {
	a.isIncomplete = true

	return fs.ReadLink(a.fsys, name)
}

func (a *recorder) recordInfo(kind kind, get func(fs.FS, string) (fs.FileInfo, error), name string) (fs.FileInfo, error) {
	info, err := get(a.fsys, name)
	answer := ""
	if err == nil {
		answer = fmt.Sprintf("%s\x00%s", info.Name(), info.Mode().Type())
		if info.Mode().IsRegular() {
			answer += fmt.Sprint("\x00", info.Size())
		}
	}
	a.recordAnswer(kind, name, []byte(answer), err)

	return info, err
}

// recordAnswer records a question. That a file does not exist is an answer; other errors cannot be
// recorded.
func (a *recorder) recordAnswer(kind kind, path string, answer []byte, err error) {
	q := question{Kind: kind, Path: path}
	switch {
	case err == nil:
		q.Answer = sha256.Sum256(append([]byte("is "), answer...))
	case errors.Is(err, fs.ErrNotExist):
		q.Answer = sha256.Sum256([]byte("is not"))
	default:
		a.isIncomplete = true
	}
	a.questions = append(a.questions, q)
}

// hasSameAnswers asks fsys the questions again and reports whether every answer is the same.
func hasSameAnswers(fsys fs.FS, asked []question) bool {
	current := &recorder{fsys: fsys, questions: make([]question, 0, len(asked))}
	for i, q := range asked {
		// current.questions has the answer, including errors.
		switch q.Kind {
		case readFile:
			_, _ = current.ReadFile(q.Path)
		case readDir:
			_, _ = current.ReadDir(q.Path)
		case stat:
			_, _ = current.Stat(q.Path)
		case lstat:
			_, _ = current.Lstat(q.Path)
		default:
			return false
		}
		if current.isIncomplete || current.questions[i] != q {
			return false
		}
	}

	return true
}
