package verify_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/verify"
)

// oneFile is what is emitted for a program, and one file of it that a test damages.
type oneFile struct {
	t     *testing.T
	p     *ir.Program
	files []emit.File
	at    int
}

// fileOf returns a file of a golden program, which is read back as it was emitted.
func fileOf(t *testing.T, golden, name string) oneFile {
	t.Helper()
	p := load(t, "../emit/testdata/golden/"+golden+".txtar")
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(files, func(f emit.File) bool { return f.Name == name })
	if err := verify.Files(p, files); err != nil || at < 0 {
		t.Fatalf("as it is emitted: file %d, %v", at, err)
	}

	return oneFile{t, p, files, at}
}

// without returns the files but for this one.
func (o oneFile) without() []emit.File { return slices.Delete(slices.Clone(o.files), o.at, o.at+1) }

// with returns the files, a text of this one replaced.
func (o oneFile) with(old, text string) []emit.File {
	o.t.Helper()
	changed := slices.Clone(o.files)
	changed[o.at].Content = bytes.Replace(o.files[o.at].Content, []byte(old), []byte(text), 1)
	if bytes.Equal(changed[o.at].Content, o.files[o.at].Content) {
		o.t.Fatalf("the file has no %s", old)
	}

	return changed
}

// areRefused has all of these read back, which has to end with what is not the program.
func (o oneFile) areRefused(all map[string][]emit.File) {
	o.t.Helper()
	for name, damaged := range all {
		var mismatch *verify.MismatchError
		if err := verify.Files(o.p, damaged); !errors.As(err, &mismatch) || mismatch.Machine != "all agents" {
			o.t.Errorf("%s is read back with %v", name, err)
		}
	}
}

// isRefused has this file read back by what compares it, when the program has changed.
func (o oneFile) isRefused(compare func(*ir.Program, map[string]*emit.File) error) {
	o.t.Helper()
	f := &o.files[o.at]
	var mismatch *verify.MismatchError
	if err := compare(o.p, map[string]*emit.File{f.Name: f}); !errors.As(err, &mismatch) {
		o.t.Errorf("%s, for which nothing asks, is read back with %v", f.Name, err)
	}
}
