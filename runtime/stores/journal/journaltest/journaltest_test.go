package journaltest_test

import (
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/journal/journaltest"
)

func TestFiles(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Store { return journal.Files(filepath.Join(t.TempDir(), "runs")) })
}

func TestMemory(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Store { return journal.Memory() })
}
