package sqlite_test

import (
	"database/sql"
	_ "embed"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore/sqlstoretest"
	"github.com/agentc-dev/agentc/runtime/sqlite"
)

var (
	//go:embed testdata/version1.sql
	version1 string
	//go:embed testdata/version2.sql
	version2 string
)

var kind = sqlstoretest.Kind{
	Version1: version1, Version2: version2,
	Open:  sqlite.Open,
	Empty: func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "runs.db") },
	Raw: func(t *testing.T, address string) *sql.DB {
		path, _, _ := strings.Cut(strings.TrimPrefix(address, "sqlite:"), "?")
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })

		return db
	},
}

func TestLeases(t *testing.T) { kind.Run(t) }
