package sqlstore

import (
	"database/sql"
	"strings"
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
	// Prepares has the statement of an append be prepared, once; other drivers do so by themselves, or must not.
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
	// Clustered says that a table is in its primary key.
	Clustered = "clustered"
)

// replacer writes SQL as the database wants it.
func (d *Dialect) replacer() *strings.Replacer {
	pairs := []string{"$", d.Placeholder}
	for word, spelled := range d.Words {
		pairs = append(pairs, "{"+word+"}", spelled)
	}

	return strings.NewReplacer(pairs...)
}
