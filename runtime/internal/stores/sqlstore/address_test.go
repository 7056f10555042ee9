package sqlstore_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore"
)

func TestCutLease(t *testing.T) {
	for _, c := range []struct {
		address, rest string
		lease         time.Duration
	}{
		{"runs.db", "runs.db", sqlstore.Lease},
		{"runs.db?lease=5s", "runs.db", 5 * time.Second},
		{"postgres://h/d?a=b&lease=1m&c=d", "postgres://h/d?a=b&c=d", time.Minute},
		{"postgres://h/d?sslmode=disable", "postgres://h/d?sslmode=disable", sqlstore.Lease},
	} {
		rest, lease, err := sqlstore.CutLease(c.address)
		if rest != c.rest || lease != c.lease || err != nil {
			t.Errorf("%s: %q, %v, %v", c.address, rest, lease, err)
		}
	}
	for _, address := range []string{"x?lease=", "x?lease=5", "x?lease=1ms", "x?lease=2h", "x?lease=-1s", "x?lease=%zz"} {
		if rest, lease, err := sqlstore.CutLease(address); err == nil {
			t.Errorf("%s: %q, %v", address, rest, lease)
		}
	}
}
