package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// scheme is the beginning of the address of a store of this package.
const scheme = "postgres"

// mostConnections is how many connections a store opens at most.
const mostConnections = 16

// Open returns the store with an address such as postgres://app@db.internal/app or
// postgres://db/app?lease=5s. The environment variables and files of PostgreSQL's own programs,
// such as PGPASSWORD, complete the address. The tables are created with the first call. An error
// means that the address is invalid, and contains no password; the errors of the store's methods
// are described at [journal.Store].
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
			return stdlib.OpenDB(*config, stdlib.OptionAfterConnect(ensureDurable)), nil
		},
		Placeholder: "$", Connections: mostConnections, IsLost: isLost, Exclusive: "SELECT pg_advisory_xact_lock(727463)", Words: map[string]string{
			// Names are ASCII and compared by their bytes.
			sqlstore.Name: `TEXT COLLATE "C"`, sqlstore.Bytes: "BYTEA", sqlstore.ID: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
			sqlstore.Now:  "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
			sqlstore.Hold: " FOR SHARE", sqlstore.Clustered: "",
			sqlstore.HasRuns: "(CASE WHEN to_regclass('agentc_runs') IS NULL THEN 0 ELSE 1 END)",
		},
	}), nil
}

// ensureDurable makes commits wait for the disk where the database or the user is set up not to.
func ensureDurable(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")

	return err
}

// isLost reports whether an error means that the connection to the server is lost, or that there is
// none for the moment.
func isLost(err error) bool {
	if said := (*pgconn.PgError)(nil); errors.As(err, &said) {
		return strings.HasPrefix(said.Code, connectionException) || slices.Contains(momentary, said.Code)
	}
	is := func(lost error) bool { return errors.Is(err, lost) }
	network := net.Error(nil)

	return slices.ContainsFunc(broken, is) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// broken are the errors of a connection that has ended.
var broken = []error{driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed}

// connectionException begins the codes of PostgreSQL's errors of connections; momentary are others
// with which a server ends one, or takes none for the moment: admin_shutdown, crash_shutdown,
// cannot_connect_now, idle_session_timeout, too_many_connections.
const connectionException = "08"

var momentary = []string{"57P01", "57P02", "57P03", "57P05", "53300"}
