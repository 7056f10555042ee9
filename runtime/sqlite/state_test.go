package sqlite_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	after "github.com/agentc-dev/agentc/runtime/sqlite/internal/order/after/agents"
	before "github.com/agentc-dev/agentc/runtime/sqlite/internal/order/before/agents"
)

// TestStoredStatesSurviveAnEdit: a state that is stored through database/sql is read as the same state after another one was
// inserted before it, though its number has changed.
func TestStoredStatesSurviveAnEdit(t *testing.T) {
	db := openOrders(t)
	for id, state := range []before.OrderState{before.OrderStateNew, before.OrderStatePaid, before.OrderStateShipped, 0} {
		insertOrder(t, db, id, state)
	}
	if before.OrderStateShipped == before.OrderState(after.OrderStateShipped) {
		t.Fatal("the number of shipped is the same in both versions")
	}
	for id, want := range []after.OrderState{after.OrderStateNew, after.OrderStatePaid, after.OrderStateShipped, 0} {
		var state after.OrderState
		err := db.QueryRow("SELECT state FROM orders WHERE id = ?", id).Scan(&state)
		if err != nil || state != want {
			t.Errorf("order %d: %v, %v, want %v", id, state, err, want)
		}
		var nullable sql.Null[after.OrderState]
		err = db.QueryRow("SELECT state FROM orders WHERE id = ?", id).Scan(&nullable)
		if err != nil || nullable.V != want || nullable.Valid != (want != 0) {
			t.Errorf("order %d: %+v, %v, want %v", id, nullable, err, want)
		}
	}
	var shipped int
	err := db.QueryRow("SELECT count(*) FROM orders WHERE state = ?", after.OrderStateShipped).Scan(&shipped)
	if err != nil || shipped != 1 {
		t.Errorf("%d orders are shipped, %v", shipped, err)
	}
}

// TestKeysAreStoredAsText: a key needs no methods of its own: its text is what is stored.
func TestKeysAreStoredAsText(t *testing.T) {
	db := openOrders(t)
	insertOrder(t, db, 1, before.OrderKeyShip)
	var key after.OrderKey
	err := db.QueryRow("SELECT state FROM orders WHERE id = 1").Scan(&key)
	if err != nil || key != after.OrderKeyShip {
		t.Errorf("%q, %v", key, err)
	}
}

// TestColumnsThatAreNoStates: numbers, which may be of any version, and texts that no state has are errors, when they are read and
// when they are stored.
func TestColumnsThatAreNoStates(t *testing.T) {
	db := openOrders(t)
	for id, column := range []any{3, "gone", 1.5} {
		insertOrder(t, db, id, column)
	}
	for id, want := range []error{&rt.StateColumnError{}, &rt.UnknownNameError{}, &rt.StateColumnError{}} {
		state := after.OrderStatePaid
		err := db.QueryRow("SELECT state FROM orders WHERE id = ?", id).Scan(&state)
		isNumber := errors.As(err, new(*rt.StateColumnError))
		isName := errors.As(err, new(*rt.UnknownNameError))
		_, wantsNumber := want.(*rt.StateColumnError)
		if isNumber != wantsNumber || isName == wantsNumber || state != after.OrderStatePaid {
			t.Errorf("row %d: %v, %v, want %T", id, state, err, want)
		}
		if isNumber && !strings.Contains(err.Error(), "replace the numbers by the names") {
			t.Errorf("row %d has no sentence about migration: %v", id, err)
		}
	}
	_, err := db.Exec("INSERT INTO orders VALUES (9, ?)", after.OrderState(99))
	if !errors.As(err, new(*rt.InvalidStateError)) {
		t.Errorf("a value that is not a state: %v", err)
	}
}

// openOrders returns a database with a table in which the column state has no type: SQLite stores what it is given.
func openOrders(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "orders.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err = db.Exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, state)"); err != nil {
		t.Fatal(err)
	}

	return db
}

func insertOrder(t *testing.T, db *sql.DB, id int, state any) {
	t.Helper()
	if _, err := db.Exec("INSERT INTO orders VALUES (?, ?)", id, state); err != nil {
		t.Fatal(err)
	}
}
