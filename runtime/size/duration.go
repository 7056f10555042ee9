package size

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// times are the units of durations, as people shorten them.
var times = map[string]time.Duration{
	"ms": time.Millisecond,
	"s":  time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
	"w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// The errors of Duration.
var (
	errDuration = errors.New("is not a duration such as 30s, 1h30m, 7d or 2 weeks")
	errTooLong  = errors.New("is longer than 290 years")
)

// Duration returns a duration as people write it: numbers with units, such as 90s, 1h30m, 7d or 2 weeks. Errors: what is not written
// so, with 0; what is longer than can be counted, with the longest duration.
func Duration(text string) (time.Duration, error) {
	total := 0.0
	for rest := text; rest != "" || text == ""; {
		number, unit := "", ""
		number, rest = leading(strings.TrimLeft(rest, " "), "0123456789.")
		unit, rest = leading(strings.TrimPrefix(rest, " "), "abcdefghijklmnopqrstuvwxyz")
		one := times[unit]
		if one == 0 {
			one = times[strings.TrimSuffix(unit, "s")]
		}
		n, err := strconv.ParseFloat(number, 64)
		if one == 0 || err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, errDuration
		}
		total += n * float64(one)
	}
	if total >= math.MaxInt64 {
		return math.MaxInt64, errTooLong
	}

	return time.Duration(total), nil
}

// leading cuts the bytes off the front of a text that are in set.
func leading(text, set string) (front, rest string) {
	rest = strings.TrimLeft(text, set)

	return text[:len(text)-len(rest)], rest
}
