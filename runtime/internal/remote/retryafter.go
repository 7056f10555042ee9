package remote

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// mostWait bounds what a server can ask for: a day. Who wants that one waits longer has said all the same that it is useless now.
const mostWait = 24 * time.Hour

// retryAfter is how long a server asks to wait: in milliseconds where it says that, else in seconds, or until a date. A date is
// measured by the server's own clock, if it says its time.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if wait, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	after := h.Get("Retry-After")
	if wait, ok := number(after, time.Second); ok {
		return wait
	}
	until, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		at = now()
	}

	return bounded(until.Sub(at))
}

func number(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	if n > float64(mostWait/unit) {
		return mostWait, true
	}

	return bounded(time.Duration(n * float64(unit))), true
}

func bounded(wait time.Duration) time.Duration { return min(max(wait, 0), mostWait) }
