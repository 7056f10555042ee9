package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

func reopen(t testing.TB, o Options) (*Log, error) {
	t.Helper()
	l, err := Open(context.Background(), o)
	if err == nil {
		t.Cleanup(func() { _ = l.Close() })
	}

	return l, err
}

func TestFolder(t *testing.T) {
	dir, _ := written(t)
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{".": 0o700, recordName: 0o600, lockName: 0o600, ".gitignore": 0o600} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	if ignore, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(ignore) != "*\n" {
		t.Errorf(".gitignore: %q, %v", ignore, err)
	}

	// A folder that was there is not told to be ignored: it may be somebody's project.
	there := t.TempDir()
	if _, err := reopen(t, Options{Dir: there}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(there, ".gitignore")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf(".gitignore: %v", err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	var store *StoreError
	if _, err := reopen(t, Options{Dir: filepath.Join(dir, "store")}); !errors.As(err, &store) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// TestTornTail: whatever is left of the last line is cut off, and said; what is damaged elsewhere stays as it is, and is an
// error.
func TestTornTail(t *testing.T) {
	_, content := written(t)
	lines := bytes.SplitAfter(content, []byte("\n"))
	lines = lines[:len(lines)-1]
	last := len(content) - len(lines[len(lines)-1])
	for end := last; end < len(content); end++ {
		tornAt(t, content[:end], last, 5)
	}
	tornAt(t, append(content[:len(content):len(content)], make([]byte, 5000)...), len(content), 6)

	for name, test := range map[string]struct {
		content []byte
		line    uint64
	}{
		"the last line changed":   {bytes.Replace(content, []byte(`"key":"end"`), []byte(`"key":"and"`), 1), 6},
		"an earlier line changed": {bytes.Replace(content, []byte(`"draft"`), []byte(`"drift"`), 1), 1},
		"nonsense after the end":  {append(content[:len(content):len(content)], "nonsense\n"...), 7},
		"a line in two":           {bytes.Replace(content, []byte(`,"kind":"write"`), []byte("\n"+`,"kind":"write"`), 1), 4},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, recordName)
		if err := os.WriteFile(path, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := reopen(t, Options{Dir: dir})
		var damaged *DamagedError
		if !errors.As(err, &damaged) || damaged.Line != test.line || damaged.Path != path {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, test.content) {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
	}
}

func tornAt(t *testing.T, content []byte, kept int, seq uint64) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, recordName)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var cuts []Cut
	l, err := reopen(t, Options{Dir: dir, NoSync: true, Cut: func(c Cut) { cuts = append(cuts, c) }})
	if err != nil {
		t.Fatal(err)
	}
	want := []Cut{{Path: path, Offset: int64(kept), Bytes: int64(len(content) - kept)}}
	if len(content) == kept {
		want = nil
	}
	if !reflect.DeepEqual(cuts, want) || l.Head().Seq != seq {
		t.Fatalf("of %d bytes: cuts %+v, want %+v, head %+v", len(content), cuts, want, l.Head())
	}
	appendAll(t, l, &Entry{Time: noon, Kind: Write, Result: Accepted, Key: "k", Value: "1"})
	if head, err := VerifyFolder(t.Context(), dir, nil, nil); err != nil || head.Seq != seq+1 {
		t.Fatalf("of %d bytes: %+v, %v", len(content), head, err)
	}
}

// long makes a record of many entries: steps of a hundred machines, and writes of a thousand keys.
func long(t testing.TB, o Options, entries int) *Log {
	t.Helper()
	l, err := reopen(t, o)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]*Entry, 1000)
	for first := 0; first < entries; first += len(batch) {
		for i := range batch {
			n := first + i
			e := &Entry{Time: noon.Add(time.Duration(n)), Kind: Write, Result: Accepted, Key: fmt.Sprint("key", n%1000), Value: fmt.Sprint(n)}
			if n%2 == 0 {
				e = &Entry{Time: e.Time, Kind: Transition, Result: Accepted, ID: fmt.Sprint("desk/", n%200), Key: "edit", From: "a", To: "b",
					Version: uint64(n + 1), Snapshot: json.RawMessage(`{"type":"fsm","current_state":"b"}`)}
			}
			if n%10 == 3 {
				e.Expires = noon.Add(time.Hour)
			}
			batch[i] = e
		}
		appendAll(t, l, batch...)
	}

	return l
}

// TestLongRecord: an audit log of 100,000 entries opens with the state that its writer had, and every step of it is found.
func TestLongRecord(t *testing.T) {
	dir := t.TempDir()
	l := long(t, Options{Dir: dir, NoSync: true}, 100_000)
	again, err := reopen(t, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	sameState(t, again, l)
	if head, err := VerifyFolder(t.Context(), dir, nil, nil); err != nil || head != l.Head() {
		t.Errorf("%+v, %v", head, err)
	}
	m := again.state.Machines["desk/4"]
	for i, at := range m.Steps {
		if e, err := again.EntryAt(at); err != nil || e.ID != "desk/4" || e.Version != uint64(i*200+5) {
			t.Fatalf("step %d: %+v, %v", i, e, err)
		}
	}
}

func sameState(t *testing.T, got, want *Log) {
	t.Helper()
	if got.Head() != want.Head() || !reflect.DeepEqual(got.state.Machines, want.state.Machines) ||
		!reflect.DeepEqual(got.state.Values, want.state.Values) {
		t.Error("the states differ")
	}
	late := noon.Add(2 * time.Hour)
	if a, b := got.Expired(late), want.Expired(late); !reflect.DeepEqual(a, b) || len(a) == 0 {
		t.Errorf("%d values have expired, and %d", len(a), len(b))
	}
}

// TestLock: one at a time, of processes as of openings; who waits is told after a while, or when it gives up.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	one, err := reopen(t, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	two, err := reopen(t, Options{Dir: dir, LockWait: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	var locked *LockError
	if err := two.Begin(t.Context()); !errors.As(err, &locked) || locked.Path != filepath.Join(dir, lockName) || two.lock.next.held {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("tired")
	cancel(why)
	if err := two.Begin(ctx); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if err := one.Append([]*Entry{{Time: noon, Kind: Write, Result: Accepted, Key: "k", Value: "1"}}); err != nil {
		t.Fatal(err)
	}
	one.End()
	if changed, err := two.Changed(); err != nil || !changed {
		t.Errorf("changed %v, %v", changed, err)
	}
	appendAll(t, two, &Entry{Time: noon, Kind: Write, Result: Accepted, Key: "k", Value: "2"})
	if two.Head().Seq != 2 {
		t.Errorf("head %+v", two.Head())
	}
	// Somebody cuts the file while it is in use.
	if err := os.Truncate(one.chain.path, 10); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if err := two.Begin(t.Context()); !errors.As(err, &damaged) {
		t.Errorf("error %v", err)
	}
}

// TestNoRecord: verifying makes nothing where there is no record.
func TestNoRecord(t *testing.T) {
	dir := t.TempDir()
	if _, err := VerifyFolder(t.Context(), dir, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("there is %v, %v", entries, err)
	}
}

func BenchmarkOpenLong(b *testing.B) {
	dir := b.TempDir()
	if err := long(b, Options{Dir: dir, NoSync: true}, 100_000).Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l, err := Open(context.Background(), Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		_ = l.Close()
	}
}

// TestOpenedAtOnce: a folder may be made by many at once.
func TestOpenedAtOnce(t *testing.T) {
	for round := range 20 {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(round), "store")
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				l, err := Open(context.Background(), Options{Dir: dir, NoSync: true})
				if err != nil {
					t.Error(err)
					return
				}
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if _, err := os.Stat(filepath.Join(dir, ".gitignore")); err != nil {
			t.Error(err)
		}
	}
}

// TestTurns: whoever waits has the lock next, however much another process has to do.
func TestTurns(t *testing.T) {
	dir := t.TempDir()
	busy, err := reopen(t, Options{Dir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	two, err := reopen(t, Options{Dir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	entry := func() *Entry { return &Entry{Time: noon, Kind: Write, Result: Accepted, Key: "k", Value: "1"} }
	stop, stopped := make(chan bool), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			err := busy.Begin(context.Background())
			if err == nil {
				time.Sleep(2 * time.Millisecond) // it is seldom free
				err = busy.Append([]*Entry{entry()})
				busy.End()
			}
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	var passed uint64
	const turns = 20
	for range turns {
		time.Sleep(3 * time.Millisecond)
		before := busy.Head().Seq
		appendAll(t, two, entry())
		passed += two.Head().Seq - before - 1
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if passed > 3*turns {
		t.Errorf("%d turns of the other passed in %d waits", passed, turns)
	}
}

// TestReplaced: a record that was taken away while it was open takes no entries: nobody would find them.
func TestReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be moved")
	}
	dir := filepath.Join(t.TempDir(), "store")
	o := Options{Dir: dir, NoSync: true}
	l, err := reopen(t, o)
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, l, samples()...)
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	for _, there := range []bool{false, true} {
		if there {
			if _, err := reopen(t, o); err != nil {
				t.Fatal(err)
			}
		}
		var store *StoreError
		if err := l.Begin(t.Context()); !errors.As(err, &store) || !errors.Is(err, files.ErrReplaced) {
			t.Errorf("there is another %v: error %v", there, err)
		}
		if _, err := l.Changed(); !errors.Is(err, files.ErrReplaced) {
			t.Errorf("there is another %v: error %v", there, err)
		}
	}
	// Where it was is where it can be used again.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+".old", dir); err != nil {
		t.Fatal(err)
	}
	appendAll(t, l, &Entry{Time: noon, Kind: Write, Result: Accepted, Key: "k", Value: "1"})
}
