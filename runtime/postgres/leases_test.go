package postgres_test

import (
	"database/sql"
	_ "embed"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore/sqlstoretest"
	"github.com/agentc-dev/agentc/runtime/postgres"
)

var (
	//go:embed testdata/version1.sql
	version1 string
	//go:embed testdata/version2.sql
	version2 string
)

var kind = sqlstoretest.Kind{
	Version1: version1, Version2: version2,
	Open: postgres.Open, Empty: empty,
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
