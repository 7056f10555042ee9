package sqlstore

import (
	"context"
	"database/sql"
	"time"
)

// The pauses between the attempts to reach a database whose connection was lost: each is twice as long as the one before.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// persist carries out a step. If the connection is lost, the step is carried out again on a new one, until it succeeds or fails in
// another way, or a lease has passed since the loss. What was lost may have taken place, so a step has to have the same effect when it
// takes place twice.
func (s *Store) persist(ctx context.Context, db *sql.DB, step func(ctx context.Context) error) error {
	err := step(ctx)
	if !s.isLost(err) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.lease)
	defer cancel()
	for pause := firstPause; s.isLost(err); pause = min(2*pause, longestPause) {
		closeIdle(db, s.dialect.Connections)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		next := step(ctx)
		if next != nil && ctx.Err() != nil {
			return err // it says more than that the time is up
		}
		err = next
	}

	return err
}

// isLost reports whether an error means that the connection is lost, so that it is not known whether the step took place.
func (s *Store) isLost(err error) bool {
	return err != nil && s.dialect.IsLost != nil && s.dialect.IsLost(err)
}

// closeIdle closes the connections that are not in use: what has ended one has mostly ended them all, and the next step shall not try
// one after the other.
func closeIdle(db *sql.DB, connections int) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(connections)
}
