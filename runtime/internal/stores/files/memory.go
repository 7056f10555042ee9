package files

import (
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
)

// NewMemory returns a system without files, in memory, for one process.
func NewMemory() System { return &memory{folders: map[string]map[string]*memoryFile{}} }

type memory struct {
	mu sync.Mutex
	// folders are those with files, by their paths; a folder has its files by their names.
	folders map[string]map[string]*memoryFile
}

// fileAt returns a file; nil if it does not exist. The system is locked.
func (m *memory) fileAt(path string) *memoryFile {
	return m.folders[filepath.Dir(path)][filepath.Base(path)]
}

// putFile gives a file a path. The system is locked.
func (m *memory) putFile(path string, file *memoryFile) {
	dir := filepath.Dir(path)
	if m.folders[dir] == nil {
		m.folders[dir] = map[string]*memoryFile{}
	}
	m.folders[dir][filepath.Base(path)] = file
}

// dropPath removes a file, and its folder if that is empty then. The system is locked.
func (m *memory) dropPath(path string) {
	dir := filepath.Dir(path)
	delete(m.folders[dir], filepath.Base(path))
	if len(m.folders[dir]) == 0 {
		delete(m.folders, dir)
	}
}

func (*memory) MakeFolder(string) (made bool, err error) { return false, nil }

func (m *memory) Open(path string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fileAt(path) == nil {
		m.putFile(path, &memoryFile{})
	}

	return m.openFile(path), nil
}

func (m *memory) Create(path string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fileAt(path) != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	m.putFile(path, &memoryFile{})

	return m.openFile(path), nil
}

func (m *memory) OpenExisting(path string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fileAt(path) == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}

	return m.openFile(path), nil
}

func (m *memory) openFile(path string) File { return &opening{m.fileAt(path), m, path} }

func (m *memory) findFile(path string) *memoryFile {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.fileAt(path)
}

// ReadFolder implements System: there is a folder if something is in it.
func (m *memory) ReadFolder(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := slices.Sorted(maps.Keys(m.folders[filepath.Clean(dir)]))
	if len(names) == 0 {
		return nil, &fs.PathError{Op: "read", Path: dir, Err: fs.ErrNotExist}
	}

	return names, nil
}

func (m *memory) Remove(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fileAt(path) == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	m.dropPath(path)

	return nil
}

func (m *memory) ReadFile(path string) ([]byte, error) {
	file := m.findFile(path)
	if file == nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	file.mu.RLock()
	defer file.mu.RUnlock()

	return append([]byte(nil), file.content...), nil
}

func (m *memory) Stamp(path string) (Stamp, error) {
	file := m.findFile(path)
	if file == nil {
		return Stamp{}, &fs.PathError{Op: "look at", Path: path, Err: fs.ErrNotExist}
	}
	file.mu.RLock()
	defer file.mu.RUnlock()

	return Stamp{int64(len(file.content)), file.changes}, nil
}

func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	file := m.fileAt(from)
	if file == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	m.dropPath(from)
	m.putFile(to, file)

	return nil
}

func (*memory) SyncFolder(string) error { return nil }

type memoryFile struct {
	mu      sync.RWMutex
	content []byte
	changes int64
	owner   *opening
}

// opening is a file that is open.
type opening struct {
	*memoryFile
	m    *memory
	path string
}

func (f *opening) Size() (int64, error) {
	if f.m.findFile(f.path) != f.memoryFile {
		return 0, ErrReplaced
	}
	f.mu.RLock()
	defer f.mu.RUnlock()

	return int64(len(f.content)), nil
}

func (f *opening) TryLock() (ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.owner == nil {
		f.owner = f
	}

	return f.owner == f, nil
}

// Close implements File.
func (f *opening) Close() error { return f.Unlock() }

// Unlock implements File.
func (f *opening) Unlock() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.owner == f {
		f.owner = nil
	}

	return nil
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
	f.changes++
	f.extendTo(off)
	n := copy(f.content[off:], p)
	f.content = append(f.content, p[n:]...)

	return len(p), nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	f.extendTo(size)
	f.content = f.content[:size]

	return nil
}

// extendTo extends the content to a size with zeros.
func (f *memoryFile) extendTo(size int64) {
	if missing := size - int64(len(f.content)); missing > 0 {
		f.content = append(f.content, make([]byte, missing)...)
	}
}

func (f *memoryFile) Sync() error { return nil }
