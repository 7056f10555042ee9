package journaltest_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/journal/journaltest"
)

// logged is a store of its own: files, and a log of what is deleted.
type logged struct {
	journal.Store
	log io.Writer
}

func (s logged) Remove(ctx context.Context, run string) error {
	fmt.Fprintln(s.log, "remove", run)

	return s.Store.Remove(ctx, run)
}

func TestOwnStore(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Store { return logged{journal.Files(t.TempDir()), io.Discard} })
}
