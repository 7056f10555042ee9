package postgres_test

import (
	"database/sql"
	_ "embed"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore/sqlstoretest"
	"github.com/agentc-dev/agentc/runtime/postgres"
)

//go:embed testdata/version1.sql
var version1 string

var kind = sqlstoretest.Kind{
	Version1: version1,
	Open:     postgres.Open, Empty: empty,
	Raw: func(t *testing.T, address string) *sql.DB {
		db, err := sql.Open("pgx", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })

		return db
	},
}

func TestLeases(t *testing.T) { kind.Run(t) }
