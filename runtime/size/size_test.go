package size_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/size"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "20000": 20_000, "20KB": 20_000, "20 KB": 20_000, "20kb": 20_000, "8MB": 8_000_000, "8MiB": 8 << 20, "1.5GiB": 3 << 29,
		"3B": 3, "2GB": 2_000_000_000, "0.5KB": 500, "1.2B": 1,
	} {
		if got, err := size.Parse(text); got != want || err != nil {
			t.Errorf("%q: %d, %v, not %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "0", "0KB", "-1", "-1KB", "KB", "1 2KB", "1K", "1KBB", "8  MB", " 8MB", "8MB ", "1e3", "1..2", "0.1", "inf", "NaN", "0x10",
		"1_000", "99999999999999999999GB", "9223372036854775808", "½KB",
	} {
		if got, err := size.Parse(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}
