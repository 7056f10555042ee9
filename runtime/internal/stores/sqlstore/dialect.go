package sqlstore

import (
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Dialect is what one kind of database says otherwise than another.
type Dialect struct {
	// Open returns the database. It is called until it succeeds. If nothing is there yet and make is false, the error is fs.ErrNotExist.
	Open func(create bool) (*sql.DB, error)
	// Present returns an error if what was opened has no longer its name, so that what is written there is lost; nil: it has none.
	Present func() error
	// Words are spelled in another way: in SQL that is written here, each is in braces.
	Words map[string]string
	// Placeholder begins the number of an argument.
	Placeholder string
	// Connections is how many connections to the database there are at most.
	Connections int
	// IsLost reports whether an error means that the connection is lost; nil: there is none that can be.
	IsLost func(err error) bool
	// Groups has changes that wait at the same time share a transaction: the database does not let them share a write to the disk.
	Groups bool
	// Prepares has statements be prepared, once; other drivers do so by themselves, or must not.
	Prepares bool
	// Exclusive is a statement after which a transaction is alone with the tables; "" if transactions are so by themselves.
	Exclusive string
}

// The words that a dialect spells.
const (
	// Name is the type of names, which are compared by their bytes, Bytes that of bytes.
	Name, Bytes = "name", "bytes"
	// ID is the type of a primary key that counts up by itself.
	ID = "id"
	// Now is the time of the database in milliseconds.
	Now = "now"
	// Hold has the rows that a query reads stay as they are until the end of the transaction.
	Hold = "hold"
	// Clustered reports whether a table is in its primary key.
	Clustered = "clustered"
	// HasRuns is how many tables agentc_runs there are.
	HasRuns = "has_runs"
)

// replacer writes SQL as the database wants it. In braces, lease is the lease of the store in milliseconds.
func (d *Dialect) replacer(lease time.Duration) *strings.Replacer {
	pairs := []string{"$", d.Placeholder}
	for word, spelled := range d.Words {
		pairs = append(pairs, "{"+word+"}", spelled)
	}

	pairs = append(pairs, "{lease}", fmt.Sprint(lease.Milliseconds()))

	return strings.NewReplacer(pairs...)
}
