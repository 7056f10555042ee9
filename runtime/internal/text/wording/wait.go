package wording

import (
	"strconv"
	"strings"
	"time"
)

// Wait is a wait as people write it, rounded to what matters: 40ms, 0.4s, 8s, 31s, 1m30s, 5m.
func Wait(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second-50*time.Millisecond:
		return strings.TrimSuffix(strconv.FormatFloat(d.Seconds(), 'f', 1, 64), ".0") + "s"
	}
	text := d.Round(time.Second).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}

	return text
}

// Time is a time as people read it, to the second; "" if it is not known.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// WrittenWait is Wait of a duration as Go writes it, which journals and events have; any other text is itself.
func WrittenWait(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		return text
	}

	return Wait(d)
}
