package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
)

var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// TestSkip: only sleeps move the clock, by what they last.
func TestSkip(t *testing.T) {
	c := clock.NewSkip(start)
	c.Sleep(t.Context(), time.Hour)
	if got := c.Now().Sub(start); got != time.Hour {
		t.Errorf("after an hour of sleep it is %s later", got)
	}
	c.Sleep(t.Context(), -time.Second)
	if got := c.Now().Sub(start); got != time.Hour {
		t.Errorf("after a sleep of less than nothing it is %s later", got)
	}
}

// TestAlarms: alarms ring in the order of their times, during a sleep, and one that has been stopped
// does not ring.
func TestAlarms(t *testing.T) {
	c := clock.NewSkip(start).(clock.AlarmClock)
	var rung []time.Duration
	after := func(d time.Duration) (stop func()) {
		return c.AfterFunc(d, func() { rung = append(rung, c.Now().Sub(start)) })
	}
	after(3 * time.Second)
	after(time.Second)
	stop := after(2 * time.Second)
	stop()
	after(time.Minute)
	c.Sleep(t.Context(), 10*time.Second)
	if len(rung) != 2 || rung[0] != time.Second || rung[1] != 3*time.Second {
		t.Errorf("alarms rang after %v", rung)
	}
	if got := c.Now().Sub(start); got != 10*time.Second {
		t.Errorf("after the sleep it is %s later", got)
	}
}

// TestAlarmEndsSleep: a sleep ends with its context, which an alarm may have cancelled.
func TestAlarmEndsSleep(t *testing.T) {
	c := clock.NewSkip(start).(clock.AlarmClock)
	ctx, cancel := context.WithCancel(t.Context())
	c.AfterFunc(time.Second, cancel)
	c.Sleep(ctx, time.Hour)
	if got := c.Now().Sub(start); got != time.Second {
		t.Errorf("the sleep took %s", got)
	}
}

// TestLeap: the time goes on by itself, too.
func TestLeap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := clock.NewLeap(), time.Now()
		c.Sleep(t.Context(), time.Hour)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("the sleep waited for %s", waited)
		}
		time.Sleep(time.Minute)
		if got := c.Now().Sub(began); got != time.Hour+time.Minute {
			t.Errorf("it is %s later", got)
		}
	})
}

func TestSystem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := clock.System{}, time.Now()
		rang := make(chan time.Time, 1)
		c.AfterFunc(time.Second, func() { rang <- c.Now() })
		c.AfterFunc(time.Millisecond, func() { t.Error("a stopped alarm rings") })()
		c.Sleep(t.Context(), 2*time.Second)
		if at := <-rang; at.Sub(began) != time.Second || c.Now().Sub(began) != 2*time.Second {
			t.Errorf("the alarm rang after %s, and the sleep ended after %s", at.Sub(began), c.Now().Sub(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c.Sleep(ctx, time.Hour)
		if got := c.Now().Sub(began); got != 3*time.Second {
			t.Errorf("the sleep ended after %s", got)
		}
	})
}
