package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/size"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// pruneAge is how long runs are kept by default.
const pruneAge = 30 * 24 * time.Hour

func pruneRuns(c *cli.Call, store journal.Store) error {
	older, keep := pruneAge, 0
	var err error
	if c.On("keep") {
		keep, err = strconv.Atoi(c.Flag("keep"))
		if err != nil || keep < 0 {
			return c.Usagef("--keep is a number of runs, not %q", c.Flag("keep"))
		}
		older = 0
	}
	if c.On("older") {
		older, err = size.Duration(c.Flag("older"))
		if err != nil {
			return c.Usagef("--older %q %w", c.Flag("older"), err)
		}
	}
	ctx := context.Background()
	all, err := readRuns(ctx, store, "", journal.Query{})
	if err != nil {
		return err
	}
	removable, err := notBegun(ctx, store)
	if err != nil {
		return err
	}
	for _, r := range findPrunable(c, all, older, keep) {
		removable = append(removable, r.ID)
	}

	code := cli.Done
	for _, run := range removable {
		var err error
		if !c.On("dry-run") {
			err = store.Remove(ctx, run)
		}
		switch {
		case errors.Is(err, journal.ErrRunLocked), errors.Is(err, journal.ErrUnknownRun):
			continue // a caller has just resumed it, or removed it
		case err != nil:
			code = c.Report(err)
			continue
		}
		if _, err := fmt.Fprintln(c.Stdout, run); err != nil {
			return err
		}
	}

	return c.Exit(code)
}

// notBegun returns the journals without a record that no process owns: their processes died before
// the runs began.
func notBegun(ctx context.Context, store journal.Store) ([]string, error) {
	names, err := store.List(ctx, journal.Query{})
	if err != nil {
		return nil, err
	}

	return slices.DeleteFunc(names, func(run string) bool {
		if _, err := journal.Read(ctx, store, run, journal.Begin); !errors.Is(err, journal.ErrNotBegun) {
			return true
		}
		owned, err := store.Owned(ctx, run)

		return owned || err != nil
	}), nil
}

// findPrunable returns the runs to remove: the newest are kept, whatever their state is.
func findPrunable(c *cli.Call, all []listedRun, older time.Duration, keep int) (old []listedRun) {
	limit := time.Now().Add(-older)
	for i := min(keep, len(all)); i < len(all); i++ {
		r := &all[i]
		hasChanged := r.Status == client.Running || r.Changed.IsZero() || r.Changed.After(limit)
		if !hasChanged && isWanted(c, r.Status) {
			old = append(old, *r)
		}
	}

	return old
}

// isWanted reports whether the command line asks for the removal of runs with a status.
func isWanted(c *cli.Call, status client.Status) bool {
	if c.On("status") {
		return string(status) == c.Flag("status")
	}

	return c.On("all") || status == client.Done
}
