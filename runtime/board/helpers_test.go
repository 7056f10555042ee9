package board

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/record"
)

// entriesOf are all entries of a board's record, in order.
func entriesOf(t *testing.T, b *Board) (entries []record.Entry) {
	t.Helper()
	for offset := int64(0); ; {
		e, err := b.log.EntryAt(offset)
		if err != nil {
			return entries
		}
		entries = append(entries, e)
		offset += int64(len(e.Append(nil)))
	}
}
