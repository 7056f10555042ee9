package journaltest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/journal/journaltest"
)

// TestTheSuiteFindsFaults: stores with one fault each fail the suite, and one without passes.
func TestTheSuiteFindsFaults(t *testing.T) {
	for name, f := range faults {
		make := func() journal.Store { return &faulty{Store: journal.Memory(), faultsOf: f} }
		failed := failures(t, make)
		if name == "none" && failed != "" {
			t.Errorf("a store without a fault fails in %q", failed)
		}
		if name != "none" && failed == "" {
			t.Errorf("%s: the suite passes", name)
		}
	}
}

// failures is the first case that a store fails.
func failures(t *testing.T, make func() journal.Store) string {
	for _, c := range journaltest.Cases() {
		got := &verdict{ctx: t.Context()}
		func() {
			defer func() { _ = recover() }() // Fatalf
			c.Run(got, make())
			got.returned = true
		}()
		if got.failed || !got.returned {
			return c.Name
		}
	}

	return ""
}

type verdict struct {
	ctx              context.Context
	mu               sync.Mutex
	failed, returned bool
}

func (v *verdict) Context() context.Context { return v.ctx }

func (v *verdict) Helper() {}

func (v *verdict) Errorf(string, ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failed = true
}

// Fatalf ends the case, where it is not in a goroutine of its own, as *testing.T must not be either.
func (v *verdict) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// faultsOf are the calls in which a store has a fault.
type faultsOf struct {
	create, open func(ctx context.Context, s journal.Store, run string) (journal.File, error)
	read         func(ctx context.Context, s journal.Store, run string) (io.ReadCloser, error)
	list         func(ctx context.Context, s journal.Store, q journal.Query) ([]string, error)
	remove       func(ctx context.Context, s journal.Store, run string) error
	post         func(ctx context.Context, s journal.Store, run string, message []byte) error
	owned        func(ctx context.Context, s journal.Store, run string) (bool, error)
	stamp        func(ctx context.Context, s journal.Store, run string) (size, changed int64, err error)
	file         func(journal.File) journal.File
}

// faulty is a store with a fault.
type faulty struct {
	journal.Store
	faultsOf
}

func (s *faulty) opened(file journal.File, err error) (journal.File, error) {
	if err != nil || s.file == nil {
		return file, err
	}

	return s.file(file), nil
}

func (s *faulty) Create(ctx context.Context, run string) (journal.File, error) {
	if s.create != nil {
		return s.opened(s.create(ctx, s.Store, run))
	}

	return s.opened(s.Store.Create(ctx, run))
}

func (s *faulty) Open(ctx context.Context, run string) (journal.File, error) {
	if s.open != nil {
		return s.opened(s.open(ctx, s.Store, run))
	}

	return s.opened(s.Store.Open(ctx, run))
}

func (s *faulty) Read(ctx context.Context, run string) (io.ReadCloser, error) {
	if s.read != nil {
		return s.read(ctx, s.Store, run)
	}

	return s.Store.Read(ctx, run)
}

func (s *faulty) List(ctx context.Context, q journal.Query) ([]string, error) {
	if s.list != nil {
		return s.list(ctx, s.Store, q)
	}

	return s.Store.List(ctx, q)
}

func (s *faulty) Remove(ctx context.Context, run string) error {
	if s.remove != nil {
		return s.remove(ctx, s.Store, run)
	}

	return s.Store.Remove(ctx, run)
}

func (s *faulty) Post(ctx context.Context, run string, message []byte) error {
	if s.post != nil {
		return s.post(ctx, s.Store, run, message)
	}

	return s.Store.Post(ctx, run, message)
}

// file is a file with a fault in one of its calls.
type file struct {
	journal.File
	readAll  func() ([]byte, error)
	add      func([]byte) error
	truncate func(int64) error
	messages func() ([][]byte, error)
	close    func() error
}

func (f *file) ReadAll() ([]byte, error) {
	if f.readAll != nil {
		return f.readAll()
	}

	return f.File.ReadAll()
}

func (f *file) Append(p []byte) error {
	if f.add != nil {
		return f.add(p)
	}

	return f.File.Append(p)
}

func (f *file) Truncate(size int64) error {
	if f.truncate != nil {
		return f.truncate(size)
	}

	return f.File.Truncate(size)
}

func (f *file) Messages() ([][]byte, error) {
	if f.messages != nil {
		return f.messages()
	}

	return f.File.Messages()
}

func (f *file) Close() error {
	if f.close != nil {
		return f.close()
	}

	return f.File.Close()
}

// unowned is a run that is handed out without owning it: what is appended to it is lost.
func unowned(ctx context.Context, s journal.Store, run string) (journal.File, error) {
	r, err := s.Read(ctx, run)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	own, err := journal.Memory().Create(ctx, run)
	if err != nil {
		return nil, err
	}

	return own, own.Append(content)
}

// outliving keeps the messages of runs that are removed for those who make them again.
func outliving(messages map[string][][]byte) faultsOf {
	return faultsOf{
		remove: func(ctx context.Context, s journal.Store, run string) error {
			if f, err := s.Open(ctx, run); err == nil {
				if messages[run], err = f.Messages(); err != nil {
					return err
				}
				if err := f.Close(); err != nil {
					return err
				}
			}

			return s.Remove(ctx, run)
		},
		create: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
			f, err := s.Create(ctx, run)
			for _, message := range messages[run] {
				if err := s.Post(ctx, run, message); err != nil {
					return nil, err
				}
			}

			return f, err
		},
	}
}

func (s *faulty) Owned(ctx context.Context, run string) (bool, error) {
	if s.owned != nil {
		return s.owned(ctx, s.Store, run)
	}

	return s.Store.Owned(ctx, run)
}

func (s *faulty) Stamp(ctx context.Context, run string) (size, changed int64, err error) {
	if s.stamp != nil {
		return s.stamp(ctx, s.Store, run)
	}

	return s.Store.Stamp(ctx, run)
}

var faults = map[string]faultsOf{
	"none": {},
	"no locks": {open: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
		if f, err := s.Open(ctx, run); err == nil {
			return f, nil
		}

		return unowned(ctx, s, run)
	}},
	"who makes a run does not own it": {create: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
		f, err := s.Create(ctx, run)
		if err != nil {
			return nil, err
		}

		return f, f.Close()
	}},
	"create opens": {create: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
		if f, err := s.Open(ctx, run); err == nil {
			return f, nil
		}

		return s.Create(ctx, run)
	}},
	"open creates": {open: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
		if f, err := s.Create(ctx, run); err == nil {
			return f, nil
		}

		return s.Open(ctx, run)
	}},
	"names are folded": {
		create: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
			return s.Create(ctx, strings.ToLower(run))
		},
		open: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
			return s.Open(ctx, strings.ToLower(run))
		},
	},
	"any name is good": {create: func(ctx context.Context, s journal.Store, run string) (journal.File, error) {
		if journal.CheckRun(run) != nil {
			run = fmt.Sprintf("%x", run)
		}

		return s.Create(ctx, run)
	}},
	"open does not look at the context": {open: func(_ context.Context, s journal.Store, run string) (journal.File, error) {
		return s.Open(context.Background(), run)
	}},
	"create does not look at the context": {create: func(_ context.Context, s journal.Store, run string) (journal.File, error) {
		return s.Create(context.Background(), run)
	}},
	"cancelled, without the cause": {list: func(ctx context.Context, s journal.Store, q journal.Query) ([]string, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}

		return s.List(ctx, q)
	}},
	"reading needs ownership": {read: func(ctx context.Context, s journal.Store, run string) (io.ReadCloser, error) {
		f, err := s.Open(ctx, run)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		content, err := f.ReadAll()

		return io.NopCloser(bytes.NewReader(content)), err
	}},
	"an unknown run is empty": {read: func(ctx context.Context, s journal.Store, run string) (io.ReadCloser, error) {
		if r, err := s.Read(ctx, run); err == nil {
			return r, nil
		}

		return io.NopCloser(strings.NewReader("")), nil
	}},
	"reading ends early": {read: func(ctx context.Context, s journal.Store, run string) (io.ReadCloser, error) {
		r, err := s.Read(ctx, run)
		if err != nil {
			return nil, err
		}

		return io.NopCloser(io.LimitReader(r, 1<<20)), nil
	}},
	"the list is not sorted": {list: func(ctx context.Context, s journal.Store, q journal.Query) ([]string, error) {
		runs, err := s.List(ctx, q)
		slices.Reverse(runs)

		return runs, err
	}},
	"the list is short": {list: func(ctx context.Context, s journal.Store, q journal.Query) ([]string, error) {
		runs, err := s.List(ctx, q)

		return runs[:min(len(runs), 5)], err
	}},
	"a query of two statuses has one": {list: func(ctx context.Context, s journal.Store, q journal.Query) ([]string, error) {
		runs, err := s.List(ctx, q)
		if len(q.Statuses) > 1 {
			runs = slices.DeleteFunc(runs, func(run string) bool { return run == q.Statuses[0] })
		}

		return runs, err
	}},
	"no journal is ever owned": {owned: func(ctx context.Context, s journal.Store, run string) (bool, error) {
		_, err := s.Owned(ctx, run)

		return false, err
	}},
	"the stamp stays": {stamp: func(ctx context.Context, s journal.Store, run string) (size, changed int64, err error) {
		_, _, err = s.Stamp(ctx, run)

		return 0, 0, err
	}},
	"what is owned is removed": {remove: func(ctx context.Context, s journal.Store, run string) error {
		if f, err := s.Open(ctx, run); err == nil {
			if err := f.Close(); err != nil {
				return err
			}

			return s.Remove(ctx, run)
		}
		_, err := s.Read(ctx, run)

		return err
	}},
	"messages outlive their run": outliving(map[string][][]byte{}),
	"removing an unknown run": {remove: func(ctx context.Context, s journal.Store, run string) error {
		if err := s.Remove(ctx, run); err == nil || ctx.Err() != nil || journal.CheckRun(run) != nil {
			return err
		}

		return nil
	}},
	"messages are lost": {post: func(ctx context.Context, s journal.Store, run string, message []byte) error {
		if len(message) == 0 {
			return nil
		}

		return s.Post(ctx, run, message)
	}},
	"messages come twice": {post: func(ctx context.Context, s journal.Store, run string, message []byte) error {
		if err := s.Post(ctx, run, message); err != nil {
			return err
		}

		return s.Post(ctx, run, message)
	}},
	"messages in another order": {file: func(f journal.File) journal.File {
		return &file{File: f, messages: func() ([][]byte, error) {
			messages, err := f.Messages()
			slices.Reverse(messages)

			return messages, err
		}}
	}},
	"messages stay": {file: func(f journal.File) journal.File {
		var mu sync.Mutex
		var all [][]byte

		return &file{File: f, messages: func() ([][]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			messages, err := f.Messages()
			all = append(all, messages...)

			return all, err
		}}
	}},
	"writes are short": {file: func(f journal.File) journal.File {
		return &file{File: f, add: func(p []byte) error { return f.Append(p[:min(len(p), 4096)]) }}
	}},
	"bytes are kept, not copied": {file: func(f journal.File) journal.File {
		var last []byte
		flush := func() error {
			p := last
			last = nil

			return f.Append(p)
		}

		return &file{
			File: f,
			add: func(p []byte) error {
				err := flush()
				last = p

				return err
			},
			readAll: func() ([]byte, error) {
				if err := flush(); err != nil {
					return nil, err
				}

				return f.ReadAll()
			},
			close: func() error {
				if err := flush(); err != nil {
					return err
				}

				return f.Close()
			},
		}
	}},
	"truncate does nothing": {file: func(f journal.File) journal.File {
		return &file{File: f, truncate: func(int64) error { return nil }}
	}},
	"truncate empties": {file: func(f journal.File) journal.File {
		return &file{File: f, truncate: func(int64) error { return f.Truncate(0) }}
	}},
	"closing keeps it": {file: func(f journal.File) journal.File {
		return &file{File: f, close: func() error { return nil }}
	}},
	"a closed file takes bytes": {file: func(f journal.File) journal.File {
		closed := false

		return &file{File: f, close: func() error { closed = true; return f.Close() }, add: func(p []byte) error {
			if closed {
				return nil
			}

			return f.Append(p)
		}}
	}},
	"one more close": {file: func(f journal.File) journal.File {
		return &file{File: f, close: func() error { _ = f.Close(); return fmt.Errorf("closed already") }}
	}},
}
