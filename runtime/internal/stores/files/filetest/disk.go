// Package filetest is a disk for tests: every step with it can fail, a write can be short, a
// process that uses it can die between two steps, and a crash loses what was not synced.
package filetest

import (
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// ErrDead is what a process receives that has died: nothing that it does has an effect any more.
var ErrDead = errors.New("the process is dead")

// Step is something that is done with a disk.
type Step struct {
	// N counts the steps, from 1.
	N int
	// Op is make, open, create, read, write, truncate, sync, size, rename, remove, list, sync
	// folder, lock or unlock.
	Op, Path string
}

// Fault is how a step fails.
type Fault struct {
	// Err is what the step returns; nil: it does not fail.
	Err error
	// Bytes is how many bytes a write that fails has written.
	Bytes int
}

// Disk is a files.System in memory.
type Disk struct {
	// Fail, if it is not nil, decides about each step.
	Fail func(Step) Fault

	mu    sync.Mutex
	now   files.System
	steps int
	// names are the files that there are, durable the names that survive a crash.
	names, durable map[string]*content // by path
	dead           bool
}

// content is what was synced of a file, whatever its name is.
type content struct{ durable []byte }

// New returns an empty disk.
func New() *Disk {
	return &Disk{now: files.NewMemory(), names: map[string]*content{}, durable: map[string]*content{}}
}

// putFile adds a file to a disk that no process uses yet.
func (d *Disk) putFile(path string, now []byte, c *content) {
	d.names[path] = c
	if err := files.WriteNew(d.now, path, now); err != nil {
		panic(err) // there is room in memory
	}
}

// AfterKill is the disk as the next process finds it when this one was killed: nothing is lost, and
// locks are free.
func (d *Disk) AfterKill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next, copies := New(), map[*content]*content{}
	for _, names := range []map[string]*content{d.names, d.durable} {
		for _, c := range names {
			copies[c] = &content{c.durable}
		}
	}
	for path, c := range d.names {
		next.putFile(path, d.Content(path), copies[c])
	}
	for path, c := range d.durable {
		next.durable[path] = copies[c]
	}

	return next
}

// AfterCrash is the disk as the next process finds it when the computer lost its power: only what
// was synced is there.
func (d *Disk) AfterCrash() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := New()
	for path, c := range d.durable {
		next.putFile(path, c.durable, &content{c.durable})
	}
	maps.Copy(next.durable, next.names)

	return next
}

// Content is what a file holds; nil if it is not there.
func (d *Disk) Content(path string) []byte {
	content, _ := d.now.ReadFile(path)

	return content
}

// countStep counts a step, and returns how it fails. The lock is held.
func (d *Disk) countStep(op, path string) Fault {
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

// doStep does a step, unless it fails.
func doStep[T any](d *Disk, op, path string, work func() (T, error)) (result T, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.countStep(op, path).Err; err != nil {
		return result, err
	}

	return work()
}

// tryStep is doStep for a step that has no result.
func (d *Disk) tryStep(op, path string, work func() error) error {
	_, err := doStep(d, op, path, func() (any, error) { return nil, work() })

	return err
}

// MakeFolder implements files.System.
func (d *Disk) MakeFolder(dir string) (made bool, err error) {
	return doStep(d, "make", dir, func() (bool, error) { return len(d.names) == 0, nil })
}

// Open implements files.System.
func (d *Disk) Open(path string) (files.File, error) { return d.openFile("open", path, d.now.Open) }

// Create implements files.System.
func (d *Disk) Create(path string) (files.File, error) {
	return d.openFile("create", path, d.now.Create)
}

// OpenExisting implements files.System.
func (d *Disk) OpenExisting(path string) (files.File, error) {
	return d.openFile("open", path, d.now.OpenExisting)
}

func (d *Disk) openFile(op, path string, open func(path string) (files.File, error)) (files.File, error) {
	return doStep(d, op, path, func() (files.File, error) {
		opened, err := open(path)
		if err != nil {
			return nil, err
		}
		if d.names[path] == nil {
			d.names[path] = &content{}
		}

		return &file{opened, d, path, d.names[path]}, nil
	})
}

// ReadFolder implements files.System: there is a folder if something is in it.
func (d *Disk) ReadFolder(dir string) ([]string, error) {
	return doStep(d, "list", dir, func() ([]string, error) { return d.now.ReadFolder(dir) })
}

// Remove implements files.System.
func (d *Disk) Remove(path string) error {
	return d.tryStep("remove", path, func() error {
		delete(d.names, path)

		return d.now.Remove(path)
	})
}

// ReadFile implements files.System.
func (d *Disk) ReadFile(path string) ([]byte, error) {
	return doStep(d, "read", path, func() ([]byte, error) { return d.now.ReadFile(path) })
}

// Stamp implements files.System: this disk has no clock.
func (d *Disk) Stamp(path string) (files.Stamp, error) {
	return doStep(d, "size", path, func() (files.Stamp, error) {
		stamp, err := d.now.Stamp(path)

		return files.Stamp{Size: stamp.Size}, err
	})
}

// Rename implements files.System.
func (d *Disk) Rename(from, to string) error {
	return d.tryStep("rename", to, func() error {
		if err := d.now.Rename(from, to); err != nil {
			return err
		}
		d.names[to] = d.names[from]
		delete(d.names, from)

		return nil
	})
}

// SyncFolder implements files.System.
func (d *Disk) SyncFolder(dir string) error {
	return d.tryStep("sync folder", dir, func() error {
		maps.DeleteFunc(d.durable, func(path string, _ *content) bool { return filepath.Dir(path) == dir })
		for path, c := range d.names {
			if filepath.Dir(path) == dir {
				d.durable[path] = c
			}
		}

		return nil
	})
}

// file is a file that is open. To close it is not a step.
type file struct {
	files.File
	d    *Disk
	path string
	c    *content
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	return doStep(f.d, "read", f.path, func() (int, error) { return f.File.ReadAt(p, off) })
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	fault := f.d.countStep("write", f.path)
	if fault.Err != nil {
		p = p[:min(fault.Bytes, len(p))]
	}
	n, _ := f.File.WriteAt(p, off) // in memory it does not fail

	return n, fault.Err
}

func (f *file) Size() (int64, error) { return doStep(f.d, "size", f.path, f.File.Size) }

func (f *file) TryLock() (ok bool, err error) { return doStep(f.d, "lock", f.path, f.File.TryLock) }

func (f *file) Truncate(size int64) error {
	return f.d.tryStep("truncate", f.path, func() error { return f.File.Truncate(size) })
}

func (f *file) Sync() error {
	return f.d.tryStep("sync", f.path, func() (err error) {
		f.c.durable, err = io.ReadAll(io.NewSectionReader(f.File, 0, math.MaxInt64))

		return err
	})
}

func (f *file) Unlock() error { return f.d.tryStep("unlock", f.path, f.File.Unlock) }
