package journal

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// DueRun is a paused run that goes on without an answer, and when.
type DueRun struct {
	Run string
	Due time.Time
}

// Due returns the paused runs of a program whose time has come by then, the earliest first. A run that is damaged,
// or that was removed meanwhile, is left out. Errors: those of [Store.List].
func Due(ctx context.Context, store Store, program string, before time.Time) ([]DueRun, error) {
	query := Query{Program: program, Statuses: []string{"paused"}, Due: before}
	names, err := store.List(ctx, query)
	if err != nil {
		return nil, err
	}
	var due []DueRun
	for _, run := range names { // a store without labels lists all
		j, err := Read(ctx, store, run, Opened, End)
		if err != nil {
			continue
		}
		var labels Labels
		for i := range j.Records {
			labels.addRecord(&j.Records[i])
		}
		if query.Fits(labels) {
			due = append(due, DueRun{run, labels.Due})
		}
	}
	slices.SortFunc(due, func(a, b DueRun) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Run, b.Run)) })

	return due, ctx.Err()
}
