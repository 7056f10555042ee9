package app

import (
	"context"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cells"
	"github.com/agentc-dev/agentc/runtime/internal/nearest"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// lastRun is the word for the newest run.
const lastRun = "last"

// pickRun returns the run that a person means: by its name, by the beginning of one, or as the last.
func pickRun(c *cli.Call, p *compiled.Program, store journal.Store, word string) (run string, code int, ok bool) {
	ctx := context.Background()
	names, err := store.List(ctx, journal.Query{})
	if err != nil {
		return "", c.Errorf(cli.Failure, "%v", err), false
	}
	if slices.Contains(names, word) {
		return word, cli.Done, true
	}
	if word == lastRun {
		return newestRun(c, p, store)
	}
	var found []string
	for _, name := range names {
		if strings.HasPrefix(name, word) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], cli.Done, true
	case len(found) > 1:
		const most = 5
		more := ""
		if len(found) > most {
			more = ", ..."
		}
		return "", c.Usagef("%q is the beginning of %d runs: %s%s", cells.Clean(word), len(found), strings.Join(found[:min(most, len(found))], ", "), more), false
	}
	near := nearest.DidYouMean(word, append(names, lastRun))

	return "", c.Usagef("there is no run %q in %s%s", cells.Clean(word), cells.Clean(storePlace(c, p)), near), false
}

func newestRun(c *cli.Call, p *compiled.Program, store journal.Store) (run string, code int, ok bool) {
	all, err := readRuns(context.Background(), store, "", journal.Query{})
	if err != nil {
		return "", c.Errorf(cli.Failure, "%v", err), false
	}
	if len(all) == 0 {
		return "", c.Usagef("there are no runs in %s", cells.Clean(storePlace(c, p))), false
	}

	return all[0].Run, cli.Done, true
}
