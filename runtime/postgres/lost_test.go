package postgres_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What the server has decided is no lost connection, and is not asked for again.
func TestErrorsOfLostConnections(t *testing.T) {
	said := func(code string) error { return fmt.Errorf("exec: %w", &pgconn.PgError{Code: code}) }
	for _, err := range []error{
		driver.ErrBadConn, fmt.Errorf("receive message failed: %w", io.ErrUnexpectedEOF), &net.OpError{Op: "dial", Err: errors.New("refused")},
		said("57P01"), said("57P03"), said("08006"), said("53300"), errors.Join(io.EOF, sql.ErrTxDone),
	} {
		if !postgres.IsLost(err) {
			t.Errorf("%v is no lost connection", err)
		}
	}
	for _, err := range []error{
		said("23505"), said("25006"), said("28P01"), said("53100"), journal.ErrRunLocked, context.Canceled, sql.ErrConnDone,
	} {
		if postgres.IsLost(err) {
			t.Errorf("%v is a lost connection", err)
		}
	}
}
