package journal

import (
	"io/fs"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// ownedFile is the journal of a run, held by this process. The errors of its embedded file become a [StoreError] where they are reported.
type ownedFile struct {
	appendlog.File
	store  *folder
	run    string
	closed atomic.Bool
}

// Append implements File.
func (f *ownedFile) Append(p []byte) error {
	if f.closed.Load() {
		return &files.StepError{Op: "write", Path: f.Path, Err: fs.ErrClosed}
	}

	return f.File.Append(p)
}

// Label implements File: files have no labels.
func (f *ownedFile) Label(Labels) {}

// Messages implements File.
func (f *ownedFile) Messages() ([][]byte, error) { return f.store.takeMessages(f.run) }

// Close implements File.
func (f *ownedFile) Close() error {
	if f.closed.Swap(true) {
		return nil
	}

	return f.File.Close()
}
