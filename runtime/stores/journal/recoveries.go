package journal

import "time"

// recoveries counts those of a journal, record by record; see [Journal.Recoveries].
type recoveries struct {
	times []time.Time
	// underWay are the kinds of the effects that the newest process has begun and not ended, by their addresses.
	underWay map[string]string
}

func (c *recoveries) addRecord(r *Record) {
	switch r.Type {
	case Opened:
		if recovery, _ := r.Get("recovery"); recovery == "true" {
			c.times = append(c.listCounted(), r.Time)
		} else {
			c.times = nil
		}
		clear(c.underWay)
	case Intent:
		if c.underWay == nil {
			c.underWay = map[string]string{}
		}
		c.underWay[r.Address] = r.Name
	case Result:
		delete(c.underWay, r.Address)
		c.times = nil
	case Answer, End:
		c.times = nil
	}
}

// listCounted are the recoveries that count.
func (c *recoveries) listCounted() []time.Time {
	if n := len(c.times); n > 0 && c.wasAsleep() {
		return c.times[:n-1]
	}

	return c.times
}

// wasAsleep reports whether the newest process did nothing but sleep when it died. A group that
// runs branches does nothing itself.
func (c *recoveries) wasAsleep() (sleeps bool) {
	for _, kind := range c.underWay {
		switch kind {
		case "sleep":
			sleeps = true
		case "ask", "parallel":
		default:
			return false
		}
	}

	return sleeps
}
