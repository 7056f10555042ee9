package journaltest

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// T is the part of *testing.T that a case uses. Fatalf must not return.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

// Case tests one rule for stores.
type Case struct {
	Name string
	// Run tests an empty store.
	Run func(T, journal.Store)
}

// Run runs every case with a store of its own, which make returns empty.
func Run(t *testing.T, make func(t *testing.T) journal.Store) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, make(t)) })
	}
}

// Cases returns all cases.
func Cases() []Case {
	return []Case{
		{"what is appended is read", appended},
		{"large journals", large},
		{"bytes are copied", copied},
		{"truncate", truncate},
		{"an empty journal", emptyJournal},
		{"closed", closed},
		{"what exists is not made again", exists},
		{"unknown runs", unknown},
		{"names", names},
		{"list", list},
		{"a list of some runs", listSome},
		{"runs whose time has come", listDue},
		{"remove", remove},
		{"one owner", oneOwner},
		{"what a store says without reading", said},
		{"one owner of many that try", oneOfMany},
		{"readers beside a writer", readers},
		{"many runs at once", manyRuns},
		{"messages", messages},
		{"messages for the next owner", laterMessages},
		{"many messages at once", manyMessages},
		{"cancelled", cancelled},
		{"journals", journals},
		{"a torn journal", tornJournal},
		{"a run that was never begun", neverBegun},
	}
}

// must ends a case in which a step fails.
func must(t T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// create makes a run with a content.
func create(t T, s journal.Store, run, content string) journal.File {
	t.Helper()
	file, err := s.Create(t.Context(), run)
	must(t, "Create "+run, err)
	add(t, file, content)

	return file
}

// created makes a run without an owner.
func created(t T, s journal.Store, run, content string) {
	t.Helper()
	done(t, create(t, s, run, content))
}

func open(t T, s journal.Store, run string) journal.File {
	t.Helper()
	file, err := s.Open(t.Context(), run)
	must(t, "Open "+run, err)

	return file
}

// add appends and syncs.
func add(t T, file journal.File, content string) {
	t.Helper()
	must(t, "Append", file.Append([]byte(content)))
	must(t, "Sync", file.Sync())
}

func done(t T, file journal.File) {
	t.Helper()
	must(t, "Close", file.Close())
}

// read reads a run from outside.
func read(t T, s journal.Store, run string) string {
	t.Helper()
	content, err := contentOf(t.Context(), s, run)
	must(t, "Read "+run, err)

	return content
}

func contentOf(ctx context.Context, s journal.Store, run string) (string, error) {
	r, err := s.Read(ctx, run)
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(r)

	return string(content), errors.Join(err, r.Close())
}

// has holds a run that is owned against a content, from inside and from outside.
func has(t T, s journal.Store, run string, file journal.File, want string) {
	t.Helper()
	got, err := file.ReadAll()
	must(t, "ReadAll", err)
	if string(got) != want {
		t.Errorf("its owner reads %d bytes, %.40q, want %d, %.40q", len(got), got, len(want), want)
	}
	if got := read(t, s, run); got != want {
		t.Errorf("others read %d bytes, %.40q, want %d, %.40q", len(got), got, len(want), want)
	}
}

// is wants an error of a kind.
func is(t T, what string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want: %v", what, err, kind)
	}
}
