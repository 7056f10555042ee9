package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen/internal/cache"
	"github.com/agentc-dev/agentc/gen/internal/emit"
)

// entry is a remembered compilation.
type entry struct {
	Asked           []question
	Package, Output string
	Files           []emit.File
}

// maxEntries is how many entries a folder keeps: one for each project that a person works on, and
// some to spare.
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

// store writes an entry. A memo that cannot write compiles again the next time, that is all.
func (m *Memo) store(name string, e *entry) {
	var text bytes.Buffer
	text.Write(make([]byte, sha256.Size)) // where the checksum will be
	if gob.NewEncoder(&text).Encode(e) != nil || os.MkdirAll(m.folder, 0o700) != nil {
		return
	}
	sum := sha256.Sum256(text.Bytes()[sha256.Size:])
	copy(text.Bytes(), sum[:])

	_ = cache.Put(filepath.Join(m.folder, name), text.Bytes(), maxEntries)
}
