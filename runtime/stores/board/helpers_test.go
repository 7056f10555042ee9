package board

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// entriesOf are all entries of a board's record, in order.
func entriesOf(t *testing.T, b *Board) (entries []audit.Entry) {
	t.Helper()
	for offset := int64(0); ; {
		e, err := b.log.EntryAt(offset)
		if err != nil {
			return entries
		}
		entries = append(entries, e)
		line, err := e.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		offset += int64(len(line))
	}
}
