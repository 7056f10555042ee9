package remote_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
)

func TestPieces(t *testing.T) {
	for _, size := range []int{1, 7, 1000, 64 << 10, 100_000} {
		var p remote.Pieces
		var want strings.Builder
		for i := 0; want.Len() < 200_000; i++ {
			text := strings.Repeat(string(rune('a'+i%26)), size)
			p.WriteString(text)
			want.WriteString(text)
			if i%50 == 0 && p.String() != want.String() {
				t.Fatalf("pieces of %d: another text after %d", size, i)
			}
		}
		if p.Len() != want.Len() || p.String() != want.String() || p.String() != want.String() {
			t.Errorf("pieces of %d: %d bytes, not %d", size, p.Len(), want.Len())
		}
	}
	if empty := (remote.Pieces{}); empty.String() != "" {
		t.Error("an empty text is not empty")
	}
}
