package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files/filetest"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// story is what a run does with its store, process after process, and what it was promised.
type story struct {
	store journal.Store
	// appended are the names of all records, the first synced of them are promised to be there.
	appended []string
	synced   int
	// errs are the errors that were seen.
	errs []error
}

func (s *story) saw(err error) bool {
	if err != nil {
		s.errs = append(s.errs, err)
	}

	return err == nil
}

// work appends records and waits for every second.
func (s *story) work(w *journal.Writer, from, count int) {
	for i := range count {
		name := fmt.Sprint(from+i, strings.Repeat(".", 30*(i%4)))
		w.Append(event(name))
		s.appended = append(s.appended, name)
		if w.Flush(); i%2 == 1 && s.saw(w.Sync()) {
			s.synced = len(s.appended)
		}
	}
	if s.saw(w.Close()) {
		s.synced = len(s.appended)
	}
}

// tell tells the story until its end, whatever fails.
func (s *story) tell(ctx context.Context) {
	if w, err := journal.Create(ctx, s.store, "r1", journal.Record{Time: noon}); s.saw(err) {
		s.work(w, 10, 5)
	}
	s.saw(s.store.Post(ctx, "r1", []byte("stop")))
	for from := 20; from <= 30; from += 10 {
		j, w, err := journal.Open(ctx, s.store, "r1")
		if !s.saw(err) {
			continue
		}
		s.appended = s.appended[:len(j.Records)-1] // what was never promised may be gone
		_, err = w.Messages()
		s.saw(err)
		s.work(w, from, 3)
	}
	_, err := s.store.List(ctx, journal.Query{})
	s.saw(err)
	_, err = journal.Read(ctx, s.store, "r1")
	s.saw(err)
}

// survives wants that what was promised is there, in order, and that the run can go on.
func (s *story) survives(t *testing.T, what string, disk *filetest.Disk) {
	t.Helper()
	store := journal.FilesOf("runs", disk)
	j, err := journal.Read(t.Context(), store, "r1")
	if s.synced == 0 && (errors.Is(err, journal.ErrUnknownRun) || errors.Is(err, journal.ErrNotBegun)) {
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	got := names(t, store)
	if len(got) < s.synced || len(got) > len(s.appended) || !slices.Equal(got, s.appended[:len(got)]) {
		t.Fatalf("%s: it has %q; promised were %q, of %q", what, got, s.appended[:s.synced], s.appended)
	}

	opened, w, err := journal.Open(t.Context(), store, "r1")
	if err != nil || !reflect.DeepEqual(opened.Records, j.Records) {
		t.Fatalf("%s: %v, %v", what, err, opened)
	}
	crashed, err := journal.Read(t.Context(), journal.FilesOf("runs", disk.AfterCrash()), "r1")
	if err != nil || !reflect.DeepEqual(crashed.Records, j.Records) {
		t.Fatalf("%s: a crash takes what the new owner has read: %v, %v", what, err, crashed)
	}
	w.Append(event("more"))
	if err := w.Close(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if more := names(t, store); !reflect.DeepEqual(more, append(got, "more")) {
		t.Fatalf("%s: it went on to %q", what, more)
	}
}

// tellOn tells the story on a disk that fails so.
func tellOn(t *testing.T, fail func(filetest.Step) filetest.Fault) (*story, *filetest.Disk) {
	disk := filetest.New()
	disk.Fail = fail
	s := &story{store: journal.FilesOf("runs", disk)}
	s.tell(t.Context())

	return s, disk
}

func TestEveryStepMayFail(t *testing.T) {
	steps, stories := 0, 0
	ops := map[string]int{}
	whole, disk := tellOn(t, func(step filetest.Step) filetest.Fault {
		steps = step.N
		ops[step.Op]++

		return filetest.Fault{}
	})
	if len(whole.errs) > 0 || whole.synced != 11 {
		t.Fatalf("without a fault: %v, %d synced", whole.errs, whole.synced)
	}
	whole.survives(t, "without a fault", disk.AfterCrash())
	for _, op := range strings.Split("make create open write sync size lock list read rename remove sync folder", " ") {
		if op != "folder" && ops[op] == 0 {
			t.Errorf("the story has no step %q: %v", op, ops)
		}
	}

	full := &fs.PathError{Op: "write", Path: "runs/r1.journal", Err: syscall.ENOSPC}
	for n := 1; n <= steps; n++ {
		for kind, fail := range map[string]func(filetest.Step) filetest.Fault{
			"once":         func(s filetest.Step) filetest.Fault { return fault(s.N == n, full, 7) },
			"from then on": func(s filetest.Step) filetest.Fault { return fault(s.N >= n, full, 30) },
			"no write any more": func(s filetest.Step) filetest.Fault {
				return fault(s.N >= n && (s.Op == "write" || s.Op == "create"), full, 50)
			},
			"no sync any more": func(s filetest.Step) filetest.Fault { return fault(s.N >= n && s.Op == "sync", full, 0) },
			"death":            func(s filetest.Step) filetest.Fault { return fault(s.N == n, filetest.ErrDead, n%40) },
		} {
			what := fmt.Sprintf("step %d of %d, %s", n, steps, kind)
			s, disk := tellOn(t, fail)
			s.typed(t, what)
			s.survives(t, what+", killed", disk.AfterKill())
			s.survives(t, what+", crashed", disk.AfterCrash())
			stories++
		}
	}
	fmt.Printf("soak: %s: %d steps failed in %d runs, each found again after a kill and after a crash\n", t.Name(), steps, stories)
}

func fault(fails bool, err error, size int) filetest.Fault {
	if !fails {
		return filetest.Fault{}
	}

	return filetest.Fault{Err: err, Bytes: size}
}

// typed wants that each error says what it is.
func (s *story) typed(t *testing.T, what string) {
	t.Helper()
	for _, err := range s.errs {
		switch {
		case errors.As(err, new(*journal.StoreError)):
			if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, filetest.ErrDead) || !strings.Contains(err.Error(), "--store") {
				t.Errorf("%s: %v", what, err)
			}
		case errors.Is(err, journal.ErrUnknownRun), errors.Is(err, journal.ErrNotBegun):
			if s.synced > 0 {
				t.Errorf("%s: %v after %d records", what, err, s.synced)
			}
		default:
			t.Errorf("%s: %T: %v", what, err, err)
		}
	}
}

func TestARunWhoseMessagesStayIsNotRemoved(t *testing.T) {
	disk := filetest.New()
	store := journal.FilesOf("runs", disk)
	w, err := journal.Create(t.Context(), store, "r1", journal.Record{Time: noon})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), store.Post(t.Context(), "r1", []byte("stop"))); err != nil {
		t.Fatal(err)
	}
	disk.Fail = func(s filetest.Step) filetest.Fault {
		return fault(s.Op == "remove" && !strings.HasSuffix(s.Path, ".journal"), syscall.EBUSY, 0)
	}
	failed := (*journal.StoreError)(nil)
	if err := store.Remove(t.Context(), "r1"); !errors.As(err, &failed) || !errors.Is(err, syscall.EBUSY) {
		t.Errorf("%v", err)
	}
	if _, err := journal.Read(t.Context(), store, "r1"); err != nil {
		t.Errorf("the journal is removed: %v", err)
	}
}

func TestAFolderThatCannotBeWrittenSaysWhatToDo(t *testing.T) {
	store := journal.Files("/dev/null/runs")
	_, err := journal.Create(t.Context(), store, "r1", journal.Record{})
	failed := (*journal.StoreError)(nil)
	if !errors.As(err, &failed) || failed.Path == "" || !strings.Contains(err.Error(), "--store DIR") {
		t.Errorf("%v", err)
	}
}

func TestAStoreErrorNamesAFileOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r1.journal")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := journal.Read(t.Context(), journal.Files(dir), "r1")
	if !errors.As(err, new(*journal.StoreError)) || strings.Count(err.Error(), path) != 1 {
		t.Errorf("%v", err)
	}
}

func TestAReadOnlyFolderCanBeRead(t *testing.T) {
	s, disk := tellOn(t, nil)
	refusal := error(syscall.EROFS)
	disk.Fail = func(step filetest.Step) filetest.Fault {
		return fault(step.Op != "list" && step.Op != "read", refusal, 0)
	}
	if owned, err := s.store.Owned(t.Context(), "r1"); owned || err != nil {
		t.Errorf("%v, %v", owned, err)
	}
	refusal = fs.ErrPermission
	if owned, err := s.store.Owned(t.Context(), "r1"); owned || err != nil {
		t.Errorf("%v, %v", owned, err)
	}
	if got := names(t, s.store); len(got) != 11 {
		t.Errorf("it has %q", got)
	}
	if runs, err := s.store.List(t.Context(), journal.Query{}); err != nil || len(runs) != 1 {
		t.Errorf("%v, %v", runs, err)
	}
	_, _, err := journal.Open(t.Context(), s.store, "r1")
	if !errors.Is(err, fs.ErrPermission) || !errors.As(err, new(*journal.StoreError)) {
		t.Errorf("%v", err)
	}
}
