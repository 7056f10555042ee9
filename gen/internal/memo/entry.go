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
	Questions       []question
	Package, Output string
	Files           []emit.File
}

// maxEntries is how many entries a folder keeps: more than the projects that one person works on.
const maxEntries = 64

// loadEntry reads an entry, which is a checksum and a content. It ignores a damaged entry.
func (m *Memo) loadEntry(name string) (*entry, bool) {
	text, err := os.ReadFile(filepath.Join(m.folder, name))
	if err != nil || len(text) < sha256.Size {
		return nil, false
	}
	content := text[sha256.Size:]
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:], text[:sha256.Size]) {
		return nil, false
	}
	var stored entry
	if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&stored); err != nil {
		return nil, false
	}

	return &stored, true
}

// storeEntry writes an entry. After an error the project is compiled again the next time.
func (m *Memo) storeEntry(name string, e *entry) {
	var text bytes.Buffer
	text.Write(make([]byte, sha256.Size)) // for the checksum
	if gob.NewEncoder(&text).Encode(e) != nil || os.MkdirAll(m.folder, 0o700) != nil {
		return
	}
	sum := sha256.Sum256(text.Bytes()[sha256.Size:])
	copy(text.Bytes(), sum[:])

	_ = cache.Put(filepath.Join(m.folder, name), text.Bytes(), maxEntries)
}
