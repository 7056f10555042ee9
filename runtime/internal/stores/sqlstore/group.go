package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// change is a step that changes the database. It may be carried out more than once, of which the last time counts.
type change func(ctx context.Context, q querier) error

// group carries out the changes that wait at the same time in one transaction, so that they wait for the disk together.
type group struct {
	mu      sync.Mutex
	waiting []waitingChange
	working bool
}

// waitingChange is a change for which a goroutine waits.
type waitingChange struct {
	ctx    context.Context
	change change
	done   chan<- error
}

// do waits until a change is on the disk, or was refused.
func (g *group) do(ctx context.Context, db *sql.DB, c change) error {
	done := make(chan error, 1)
	g.mu.Lock()
	g.waiting = append(g.waiting, waitingChange{ctx, c, done})
	if !g.working {
		g.working = true
		go g.work(db)
	}
	g.mu.Unlock()

	return <-done
}

// work carries out changes until none waits.
func (g *group) work(db *sql.DB) {
	for {
		g.mu.Lock()
		changes := g.waiting
		g.waiting = nil
		g.working = len(changes) > 0
		g.mu.Unlock()
		if len(changes) == 0 {
			return
		}
		carryOut(db, changes)
	}
}

// carryOut carries out changes in one transaction. If one of them is refused, each gets a transaction of its own, so that it fails no
// other.
func carryOut(db *sql.DB, all []waitingChange) {
	var changes []waitingChange
	for _, c := range all {
		if err := context.Cause(c.ctx); err != nil {
			c.done <- err
		} else {
			changes = append(changes, c)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	refused := false
	err := inTransaction(ctx, db, func(ctx context.Context, q querier) error {
		for _, c := range changes {
			if err := c.change(ctx, q); err != nil {
				refused = true
				return err
			}
		}

		return nil
	})
	for _, c := range changes {
		if refused && len(changes) > 1 {
			err = inTransaction(c.ctx, db, c.change)
		}
		c.done <- err
	}
}

// inTransaction carries out a change in a transaction of its own.
func inTransaction(ctx context.Context, db *sql.DB, c change) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := c(ctx, tx); err != nil {
		_ = tx.Rollback() // the first error is the one to report
		return err
	}

	return tx.Commit()
}
