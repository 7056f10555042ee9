package files

import (
	"io"
	"io/fs"
	"sync"
)

// NewMemory returns a system without files, in memory. Its locks are always free: one process uses it.
func NewMemory() System { return &memory{files: map[string]*memoryFile{}} }

type memory struct {
	mu    sync.Mutex
	files map[string]*memoryFile
}

func (*memory) MakeFolder(string) (made bool, err error) { return false, nil }

func (m *memory) Open(path string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[path] == nil {
		m.files[path] = &memoryFile{}
	}

	return m.files[path], nil
}

func (m *memory) ReadFile(path string) ([]byte, error) {
	m.mu.Lock()
	file := m.files[path]
	m.mu.Unlock()
	if file == nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	file.mu.RLock()
	defer file.mu.RUnlock()

	return append([]byte(nil), file.content...), nil
}

func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files[from] == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	m.files[to] = m.files[from]
	delete(m.files, from)

	return nil
}

func (*memory) SyncFolder(string) error { return nil }

func (*memory) OpenLock(string) (Lock, error) { return free{}, nil }

type memoryFile struct {
	mu      sync.RWMutex
	content []byte
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if off >= int64(len(f.content)) {
		return 0, io.EOF
	}
	n := copy(p, f.content[off:])
	if n < len(p) {
		return n, io.EOF
	}

	return n, nil
}

func (f *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fill(off)
	n := copy(f.content[off:], p)
	f.content = append(f.content, p[n:]...)

	return len(p), nil
}

func (f *memoryFile) Size() (int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()

	return int64(len(f.content)), nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fill(size)
	f.content = f.content[:size]

	return nil
}

// fill makes the content at least so long, with zeros.
func (f *memoryFile) fill(size int64) {
	if missing := size - int64(len(f.content)); missing > 0 {
		f.content = append(f.content, make([]byte, missing)...)
	}
}

func (f *memoryFile) Sync() error { return nil }

func (f *memoryFile) Close() error { return nil }

// free is a lock that nobody else wants.
type free struct{}

func (free) TryLock() (ok bool, err error) { return true, nil }
func (free) Unlock() error                 { return nil }
func (free) Close() error                  { return nil }
