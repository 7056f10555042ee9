package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // the driver

	"github.com/agentc-dev/agentc/examples/service/agents"
	"github.com/agentc-dev/agentc/runtime"
)

// The tables of the service. The agent adds nothing to them but refunds: its own memory of a run is in the run's journal.
const tables = `
CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, price INTEGER NOT NULL, paid INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS refunds (call TEXT PRIMARY KEY, "order" TEXT NOT NULL, cents INTEGER NOT NULL);
INSERT OR IGNORE INTO orders VALUES ('A-1042', 1999, 3998), ('A-1043', 4999, 4999);
`

// openDatabase opens the file, or makes it.
func openDatabase(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer
	if _, err := db.Exec(tables); err != nil {
		return nil, errors.Join(err, db.Close())
	}

	return db, nil
}

// orders are the typed tools of the skill of the same name, on the service's own database.
type orders struct{ db *sql.DB }

// FindOrder is the tool find_order. Its error is for the model, which may have misread the number.
func (o orders) FindOrder(ctx context.Context, in agents.FindOrderInput) (agents.FindOrderOutput, error) {
	var out agents.FindOrderOutput
	err := o.db.QueryRowContext(ctx, `SELECT price, paid, (SELECT COALESCE(SUM(cents), 0) FROM refunds WHERE "order" = id)
		FROM orders WHERE id = ?`, in.Order).Scan(&out.Price, &out.Paid, &out.Refunded)
	if errors.Is(err, sql.ErrNoRows) {
		return out, fmt.Errorf("there is no order %s", in.Order)
	}

	return out, err
}

// PayBack is the tool pay_back. A call that a crash has interrupted is made again with the same key: it pays once.
func (o orders) PayBack(ctx context.Context, in agents.PayBackInput) (string, error) {
	key, ok := runtime.IdempotencyKey(ctx)
	if !ok {
		return "", errors.New("a refund needs the key of its call")
	}
	_, err := o.db.ExecContext(ctx, `INSERT OR IGNORE INTO refunds VALUES (?, ?, ?)`, key, in.Order, in.Cents)

	return fmt.Sprintf("%d cents are on their way", in.Cents), err
}
