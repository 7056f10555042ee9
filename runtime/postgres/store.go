package postgres

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"database/sql"

	"github.com/agentc-dev/agentc/runtime/internal/sqlstore"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// scheme is the beginning of the address of a store of this package.
const scheme = "postgres"

// mostConnections is how many connections a store opens at most.
const mostConnections = 16

// Open returns the store with an address such as postgres://app@db.internal/app or postgres://db/app?lease=5s. The
// environment variables and files of PostgreSQL's own programs, such as PGPASSWORD, complete the address. The tables
// are created with the first call. An error means that the address is invalid, and contains no password; the errors
// of the store's methods are those of [journal.Store].
func Open(address string) (journal.Store, error) {
	address, lease, err := sqlstore.CutLease(address)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	place := fmt.Sprintf("%s://%s:%d/%s", scheme, config.Host, config.Port, cmp.Or(config.Database, config.User))

	return sqlstore.New(place, lease, sqlstore.Dialect{
		Open: func(bool) (*sql.DB, error) {
			db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(durable))
			db.SetMaxOpenConns(mostConnections)
			db.SetMaxIdleConns(mostConnections)

			return db, nil
		},
		Placeholder: "$", Exclusive: "SELECT pg_advisory_xact_lock(727463)", Words: map[string]string{
			// Names are ASCII and compared by their bytes.
			sqlstore.Name: `TEXT COLLATE "C"`, sqlstore.Bytes: "BYTEA", sqlstore.ID: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
			sqlstore.Now:  "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
			sqlstore.Hold: " FOR SHARE", sqlstore.Clustered: "",
		},
	}), nil
}

// durable has commits wait for the disk where the database or the user is set up not to.
func durable(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")

	return err
}
