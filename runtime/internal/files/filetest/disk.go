// Package filetest is a disk for tests: every step with it can fail, a write can be short, a process that uses it can die between
// two steps, and a crash loses what was not synced.
package filetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/files"
)

// ErrDead is what a process receives that has died: nothing that it does has an effect any more.
var ErrDead = errors.New("the process is dead")

// Step is something that is done with a disk.
type Step struct {
	// N counts the steps, from 1.
	N int
	// Op is make, open, create, read, write, truncate, sync, size, rename, remove, list, sync folder, lock or unlock.
	Op, Path string
}

// Fault is how a step fails.
type Fault struct {
	// Err is what the step returns; nil: it does not fail.
	Err error
	// Bytes is how many bytes a write that fails has written.
	Bytes int
}

// Disk is a files.System.
type Disk struct {
	// Fail, if it is not nil, decides about each step.
	Fail func(Step) Fault

	mu      sync.Mutex
	steps   int
	names   map[string]*content // by path
	durable map[string]*content // the names that survive a crash
	dead    bool
}

type content struct {
	now, durable []byte
	owner        *file
}

// New returns an empty disk.
func New() *Disk {
	return &Disk{names: map[string]*content{}, durable: map[string]*content{}}
}

// AfterKill is the disk as the next process finds it when this one was killed: nothing is lost, and locks are free.
func (d *Disk) AfterKill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := New()
	for path, c := range d.names {
		next.names[path] = &content{now: bytes.Clone(c.now), durable: bytes.Clone(c.durable)}
	}
	for path, c := range d.durable {
		next.durable[path] = &content{now: bytes.Clone(c.now), durable: bytes.Clone(c.durable)}
		if d.names[path] == c {
			next.durable[path] = next.names[path]
		}
	}

	return next
}

// AfterCrash is the disk as the next process finds it when the computer lost its power: only what was synced is there.
func (d *Disk) AfterCrash() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := New()
	for path, c := range d.durable {
		next.names[path] = &content{now: bytes.Clone(c.durable), durable: bytes.Clone(c.durable)}
	}
	maps.Copy(next.durable, next.names)

	return next
}

// Content is what a file holds.
func (d *Disk) Content(path string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[path] == nil {
		return nil
	}

	return bytes.Clone(d.names[path].now)
}

// step counts a step, and returns how it fails. The lock is held.
func (d *Disk) step(op, path string) Fault {
	if d.dead {
		return Fault{Err: ErrDead}
	}
	d.steps++
	if d.Fail == nil {
		return Fault{}
	}
	fault := d.Fail(Step{d.steps, op, path})
	if errors.Is(fault.Err, ErrDead) {
		d.dead = true
	}

	return fault
}

// MakeFolder implements files.System.
func (d *Disk) MakeFolder(dir string) (made bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()

	return len(d.names) == 0, d.step("make", dir).Err
}

// Open implements files.System.
func (d *Disk) Open(path string) (files.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("open", path).Err; err != nil {
		return nil, err
	}
	if d.names[path] == nil {
		d.names[path] = &content{}
	}

	return &file{d, path, d.names[path]}, nil
}

// Create implements files.System.
func (d *Disk) Create(path string) (files.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("create", path).Err; err != nil {
		return nil, err
	}
	if d.names[path] != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	d.names[path] = &content{}

	return &file{d, path, d.names[path]}, nil
}

// OpenExisting implements files.System.
func (d *Disk) OpenExisting(path string) (files.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("open", path).Err; err != nil {
		return nil, err
	}
	if d.names[path] == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}

	return &file{d, path, d.names[path]}, nil
}

// ReadFolder implements files.System: there is a folder if something is in it.
func (d *Disk) ReadFolder(dir string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("list", dir).Err; err != nil {
		return nil, err
	}
	var names []string
	for path := range d.names {
		if filepath.Dir(path) == filepath.Clean(dir) {
			names = append(names, filepath.Base(path))
		}
	}
	if len(names) == 0 {
		return nil, &fs.PathError{Op: "list", Path: dir, Err: fs.ErrNotExist}
	}
	slices.Sort(names)

	return names, nil
}

// Remove implements files.System.
func (d *Disk) Remove(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("remove", path).Err; err != nil {
		return err
	}
	if d.names[path] == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	delete(d.names, path)

	return nil
}

// ReadFile implements files.System.
func (d *Disk) ReadFile(path string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("read", path).Err; err != nil {
		return nil, err
	}
	if d.names[path] == nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}

	return bytes.Clone(d.names[path].now), nil
}

// Stamp implements files.System: this disk has no clock.
func (d *Disk) Stamp(path string) (files.Stamp, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("size", path).Err; err != nil {
		return files.Stamp{}, err
	}
	if d.names[path] == nil {
		return files.Stamp{}, &fs.PathError{Op: "look at", Path: path, Err: fs.ErrNotExist}
	}

	return files.Stamp{Size: int64(len(d.names[path].now))}, nil
}

// Rename implements files.System.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("rename", to).Err; err != nil {
		return err
	}
	d.names[to] = d.names[from]
	delete(d.names, from)

	return nil
}

// SyncFolder implements files.System.
func (d *Disk) SyncFolder(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("sync folder", dir).Err; err != nil {
		return err
	}
	maps.DeleteFunc(d.durable, func(path string, _ *content) bool { return filepath.Dir(path) == dir })
	for path, c := range d.names {
		if filepath.Dir(path) == dir {
			d.durable[path] = c
		}
	}

	return nil
}

type file struct {
	d    *Disk
	path string
	c    *content
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("read", f.path).Err; err != nil {
		return 0, err
	}
	if off >= int64(len(f.c.now)) {
		return 0, io.EOF
	}
	n := copy(p, f.c.now[off:])
	if n < len(p) {
		return n, io.EOF
	}

	return n, nil
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	fault := f.d.step("write", f.path)
	if fault.Err != nil {
		p = p[:min(fault.Bytes, len(p))]
	}
	if missing := int(off) + len(p) - len(f.c.now); missing > 0 {
		f.c.now = append(f.c.now, make([]byte, missing)...)
	}
	copy(f.c.now[off:], p)

	return len(p), fault.Err
}

func (f *file) Size() (int64, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()

	if err := f.d.step("size", f.path).Err; err != nil {
		return 0, err
	}
	if f.d.names[f.path] != f.c {
		return 0, files.ErrReplaced
	}

	return int64(len(f.c.now)), nil
}

func (f *file) TryLock() (ok bool, err error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("lock", f.path).Err; err != nil {
		return false, err
	}
	if f.c.owner == nil {
		f.c.owner = f
	}

	return f.c.owner == f, nil
}

func (f *file) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("truncate", f.path).Err; err != nil {
		return err
	}
	if missing := int(size) - len(f.c.now); missing > 0 {
		f.c.now = append(f.c.now, make([]byte, missing)...)
	}
	f.c.now = f.c.now[:size]

	return nil
}

func (f *file) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("sync", f.path).Err; err != nil {
		return err
	}
	f.c.durable = bytes.Clone(f.c.now)

	return nil
}

// Unlock implements files.File.
func (f *file) Unlock() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.step("unlock", f.path).Err; err != nil {
		return err
	}
	f.release()

	return nil
}

func (f *file) release() {
	if f.c.owner == f {
		f.c.owner = nil
	}
}

// Close implements files.File: it unlocks the file, too.
func (f *file) Close() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.release()

	return nil
}
