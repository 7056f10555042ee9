package wording_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

func TestWait(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "4ms": 3_900_000, "40ms": 40 * time.Millisecond, "0.1s": 100 * time.Millisecond, "0.4s": 411_003_391, "1s": 1_020_000_000,
		"1.5s": 1500 * time.Millisecond, "8s": 8 * time.Second, "9.9s": 9_940_000_000, "10s": 9_960_000_000, "31s": 30_600_000_000,
		"1m30s": 90 * time.Second, "5m": 5 * time.Minute, "1h": time.Hour, "1h5m": 65 * time.Minute, "24h": 24 * time.Hour, "10m": 10 * time.Minute,
	} {
		if got := wording.Wait(d); got != want {
			t.Errorf("%v: %s, not %s", d, got, want)
		}
	}
}

func TestWrittenWait(t *testing.T) {
	for text, want := range map[string]string{"411.003391ms": "0.4s", "8s": "8s", "": "", "soon": "soon"} {
		if got := wording.WrittenWait(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}
