package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore/sqlstoretest"
	"github.com/agentc-dev/agentc/runtime/postgres"
	"github.com/agentc-dev/agentc/runtime/postgres/postgrestest"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/journal/journaltest"
)

// server is that of all tests; missing says why there is none.
var (
	server  *postgrestest.Server
	missing error
)

func TestMain(m *testing.M) {
	if sqlstoretest.IsServer() {
		fmt.Fprintln(os.Stderr, kind.Serve())
		os.Exit(1)
	}
	os.Exit(withServer(m.Run))
}

// withServer runs tests beside a server. Where none can be, they are skipped, but not where everything has to be tested.
func withServer(run func() int) int {
	server, missing = postgrestest.Start()
	if errors.Is(missing, postgrestest.ErrMissing) && os.Getenv("CI") == "" {
		return run()
	}
	if missing != nil {
		fmt.Fprintln(os.Stderr, missing)
		return 1
	}
	code := run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	return code
}

var stores atomic.Int64

// empty returns the address of an empty store.
func empty(t *testing.T) string {
	t.Helper()
	if missing != nil {
		t.Skip(missing)
	}
	address, err := server.New(fmt.Sprint("store", stores.Add(1)))
	if err != nil {
		t.Fatal(err)
	}

	return address
}

// open opens a store.
func open(t *testing.T, address string) journal.Store {
	t.Helper()
	store, err := postgres.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	})

	return store
}

func TestStore(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Store { return open(t, empty(t)) })
}

// No password of an address is in an error, whatever else is wrong with it.
func TestAddresses(t *testing.T) {
	for _, address := range []string{
		"postgres://app:s3cret@db:x/app", "postgres://app:s3cret@db/app?sslmode=nonsense", "postgres://app:s3cret@[db/app",
		"postgres://app:s3cret@db/app?lease=1ns", "postgres://app:s3cret@db/app?lease=long",
	} {
		if _, err := postgres.Open(address); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	store := open(t, "postgres://app:s3cret@127.0.0.1:1/app?connect_timeout=1")
	if _, err := store.List(t.Context(), journal.Query{}); err == nil || strings.Contains(err.Error(), "s3cret") ||
		!strings.Contains(err.Error(), "postgres://127.0.0.1:1/app") {
		t.Errorf("a server that is not there: %v", err)
	}
}
