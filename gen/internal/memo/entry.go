package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"path/filepath"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/emit"
)

// entry is a remembered compilation.
type entry struct {
	Asked           []question
	Package, Output string
	Files           []emit.File
}

// maxEntries is how many entries a folder keeps: one for each project that a person works on, and some to spare.
const maxEntries = 64

// load reads an entry. An entry is its checksum and its content; any damage makes it none.
func (m *Memo) load(name string) (*entry, bool) {
	text, err := os.ReadFile(filepath.Join(m.folder, name))
	if err != nil || len(text) < sha256.Size {
		return nil, false
	}
	content := text[sha256.Size:]
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:], text[:sha256.Size]) {
		return nil, false
	}
	var known entry
	if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&known); err != nil {
		return nil, false
	}

	return &known, true
}

// store writes an entry through a temporary file. A memo that cannot write compiles again the next time, that is all.
func (m *Memo) store(name string, e *entry) {
	var text bytes.Buffer
	text.Write(make([]byte, sha256.Size)) // where the checksum will be
	if gob.NewEncoder(&text).Encode(e) != nil || os.MkdirAll(m.folder, 0o700) != nil {
		return
	}
	sum := sha256.Sum256(text.Bytes()[sha256.Size:])
	copy(text.Bytes(), sum[:])

	temporary, err := os.CreateTemp(m.folder, "new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(text.Bytes())
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), filepath.Join(m.folder, name))
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return
	}
	m.prune()
}

// prune removes the oldest entries when there are too many.
func (m *Memo) prune() {
	files, err := os.ReadDir(m.folder)
	if err != nil || len(files) <= maxEntries {
		return
	}
	infos := make([]os.FileInfo, 0, len(files))
	for _, file := range files {
		if info, err := file.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range infos[:max(len(infos)-maxEntries, 0)] {
		_ = os.Remove(filepath.Join(m.folder, info.Name()))
	}
}
