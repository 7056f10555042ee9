package spell_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/internal/spell"
)

func TestWait(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "4ms": 3_900_000, "40ms": 40 * time.Millisecond, "0.1s": 100 * time.Millisecond, "0.4s": 411_003_391, "1s": 1_020_000_000,
		"1.5s": 1500 * time.Millisecond, "8s": 8 * time.Second, "9.9s": 9_940_000_000, "10s": 9_960_000_000, "31s": 30_600_000_000,
		"1m30s": 90 * time.Second, "5m": 5 * time.Minute, "1h": time.Hour, "1h5m": 65 * time.Minute, "24h": 24 * time.Hour, "10m": 10 * time.Minute,
	} {
		if got := spell.Wait(d); got != want {
			t.Errorf("%v: %s, not %s", d, got, want)
		}
	}
}

func TestWritten(t *testing.T) {
	for text, want := range map[string]string{"411.003391ms": "0.4s", "8s": "8s", "": "", "soon": "soon"} {
		if got := spell.Written(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "1h30m": 90 * time.Minute, "1h 30m": 90 * time.Minute, "7d": 168 * time.Hour, "2 weeks": 336 * time.Hour,
		"1 day": 24 * time.Hour, "0.5h": 30 * time.Minute, "40ms": 40 * time.Millisecond, "5 min": 5 * time.Minute, "20 mins": 20 * time.Minute, "0s": 0,
	} {
		if got, err := spell.Parse(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "7", "d", "-1d", "1x", "1d!", "1 d d", "9999999999w", "soon", "1e3s"} {
		if got, err := spell.Parse(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
