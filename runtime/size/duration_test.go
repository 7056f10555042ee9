package size_test

import (
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/size"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "1h30m": 90 * time.Minute, "1h 30m": 90 * time.Minute, "7d": 168 * time.Hour, "2 weeks": 336 * time.Hour,
		"1 day": 24 * time.Hour, "0.5h": 30 * time.Minute, "40ms": 40 * time.Millisecond, "5 min": 5 * time.Minute, "20 mins": 20 * time.Minute, "0s": 0,
	} {
		if got, err := size.Duration(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "7", "d", "-1d", "1x", "1d!", "1 d d", "9999999999w", "soon", "1e3s"} {
		if got, err := size.Duration(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
