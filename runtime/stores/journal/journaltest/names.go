package journaltest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func exists(t T, s journal.Store) {
	file := create(t, s, "r", "x")
	refuseNew(t, s)
	has(t, s, "r", file, "x")
	done(t, file)
	refuseNew(t, s)
	file = open(t, s, "r")
	refuseNew(t, s)
	has(t, s, "r", file, "x")
	done(t, file)
}

// refuseNew wants that the run r cannot be made.
func refuseNew(t T, s journal.Store) {
	t.Helper()
	file, err := s.Create(t.Context(), "r")
	is(t, "Create of a run that is there", err, journal.ErrRunExists)
	if err == nil {
		done(t, file)
	}
}

// calls are all that can be done with a run that is there.
func calls(ctx context.Context, s journal.Store, run string) map[string]error {
	errs := map[string]error{"Remove": s.Remove(ctx, run), "Post": s.Post(ctx, run, []byte("stop"))}
	_, errs["Owned"] = s.Owned(ctx, run)
	_, _, errs["Stamp"] = s.Stamp(ctx, run)
	file, err := s.Open(ctx, run)
	errs["Open"] = err
	if err == nil {
		errs["Open"] = errors.Join(err, file.Close())
	}
	r, err := s.Read(ctx, run)
	errs["Read"] = err
	if err == nil {
		errs["Read"] = errors.Join(err, r.Close())
	}

	return errs
}

func unknown(t T, s journal.Store) {
	listed(t, s)
	for _, before := range []string{"", "other"} {
		if before != "" {
			created(t, s, before, "x")
		}
		for what, err := range calls(t.Context(), s, "r") {
			is(t, what+" of a run that is not there", err, journal.ErrUnknownRun)
		}
	}
	listed(t, s, "other")
}

func names(t T, s journal.Store) {
	bad := []string{"", ".", "..", "../r", "a/b", `a\b`, "a.b", "a b", "a\x00b", "é", "r.journal", "C:", strings.Repeat("x", 65),
		"-", "-rf", "con", "NUL", "com1", journal.NewestRun}
	for _, run := range bad {
		if file, err := s.Create(t.Context(), run); err == nil {
			t.Errorf("Create takes %q", run)
			done(t, file)
		}
		for what, err := range calls(t.Context(), s, run) {
			if err == nil {
				t.Errorf("%s takes %q", what, run)
			}
		}
	}
	listed(t, s)

	good := []string{"0-", "0", "_", "Z-9_a", "journal", strings.Repeat("y", 64)}
	for _, run := range good {
		created(t, s, run, run)
	}
	for _, run := range good {
		if got := read(t, s, run); got != run {
			t.Errorf("%q has %q", run, got)
		}
	}
	listed(t, s, good...)
}

// listed wants those runs, in the order of their bytes.
func listed(t T, s journal.Store, want ...string) {
	t.Helper()
	got, err := s.List(t.Context(), journal.Query{})
	must(t, "List", err)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("List: %q, want %q", got, want)
	}
}

func list(t T, s journal.Store) {
	for _, run := range []string{"b", "a-1", "a", "c_2", "a1", "10", "9"} {
		created(t, s, run, "")
	}
	post(t, s, "b", "stop")
	file := open(t, s, "a")
	listed(t, s, "b", "a-1", "a", "c_2", "a1", "10", "9")
	done(t, file)
}

func remove(t T, s journal.Store) {
	created(t, s, "r", "old")
	created(t, s, "s", "stays")
	for _, run := range []string{"r", "s"} {
		post(t, s, run, "for "+run)
	}
	must(t, "Remove", s.Remove(t.Context(), "r"))
	for what, err := range calls(t.Context(), s, "r") {
		is(t, what+" of a run that was removed", err, journal.ErrUnknownRun)
	}
	listed(t, s, "s")
	file := create(t, s, "r", "new")
	has(t, s, "r", file, "new")
	receives(t, file)
	done(t, file)
	file = open(t, s, "s")
	has(t, s, "s", file, "stays")
	receives(t, file, "for s")
	done(t, file)
}

func cancelled(t T, s journal.Store) {
	created(t, s, "r", "x")
	cause := errors.New("the sky fell")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for what, err := range calls(ctx, s, "r") {
		is(t, what, err, cause)
	}
	file, err := s.Create(ctx, "new")
	is(t, "Create", err, cause)
	if err == nil {
		done(t, file)
	}
	_, err = s.List(ctx, journal.Query{})
	is(t, "List", err, cause)
	listed(t, s, "r")
	file = open(t, s, "r")
	has(t, s, "r", file, "x")
	receives(t, file)
	done(t, file)
}
