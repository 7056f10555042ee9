package spell

import (
	"errors"
	"math"
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

// Written is Wait of a duration as Go writes it, which journals and events have; any other text is itself.
func Written(text string) string {
	d, err := time.ParseDuration(text)
	if err != nil {
		return text
	}

	return Wait(d)
}

// units are the units of durations, as people shorten them.
var units = map[string]time.Duration{
	"ms": time.Millisecond,
	"s":  time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
	"w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// The errors of Parse. ErrRange is a duration that is written well and longer than can be counted.
var (
	errForm  = errors.New("is not a duration such as 30s, 1h30m, 7d or 2 weeks")
	ErrRange = errors.New("is longer than 290 years")
)

// Parse reads a duration as people write it: numbers with units, such as 90s, 1h30m, 7d or 2 weeks.
func Parse(text string) (time.Duration, error) {
	total := 0.0
	for rest := text; rest != "" || text == ""; {
		number, unit := "", ""
		number, rest = leading(strings.TrimLeft(rest, " "), "0123456789.")
		unit, rest = leading(strings.TrimPrefix(rest, " "), "abcdefghijklmnopqrstuvwxyz")
		one := units[unit]
		if one == 0 {
			one = units[strings.TrimSuffix(unit, "s")]
		}
		n, err := strconv.ParseFloat(number, 64)
		if one == 0 || err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, errForm
		}
		total += n * float64(one)
	}
	if total >= math.MaxInt64 {
		return 0, ErrRange
	}

	return time.Duration(total), nil
}

// leading cuts the bytes off the front of a text that are in set.
func leading(text, set string) (front, rest string) {
	rest = strings.TrimLeft(text, set)

	return text[:len(text)-len(rest)], rest
}
