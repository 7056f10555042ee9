package local

import (
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/script"
)

// Effects is the door of one branch of a run. It must not be used by two goroutines at once.
type Effects struct {
	run *run
	// parent is the branch that began the parallel group, began the ordinal of that effect in it, and branch the number of this
	// branch; nil, 0 and 0 outside of a group.
	parent *Effects
	began  int
	branch int
	// count is how many effects this branch has had.
	count int
	// models are the run's, as this branch has met them; chosen is the newest choice and model what it means.
	models map[runtime.ModelChoice]*openModel
	chosen *runtime.ModelChoice
	model  *openModel
	// asked says that this branch has asked a model, player which script answered last, if one did.
	asked  bool
	player *script.Player
	// budget is the innermost one; nil without any. timed is the effect that is under way, if one limits its time.
	budget *budget
	timed  *timed
}

// next counts an effect. It returns the cause when the run is cancelled.
func (f *Effects) next() error {
	f.count++

	return f.run.stopped()
}

// Address is the dot path of the branch's newest effect; "" before the first of the run.
func (f *Effects) Address() string { return string(f.appendAddress(nil, f.count)) }

func (f *Effects) appendAddress(dst []byte, count int) []byte {
	if f.parent != nil {
		dst = f.parent.appendAddress(dst, f.began)
		dst = append(dst, '.')
		dst = strconv.AppendInt(dst, int64(f.branch), 10)
		if count > 0 {
			dst = append(dst, '.')
		}
	}
	if count > 0 {
		dst = strconv.AppendInt(dst, int64(count), 10)
	}

	return dst
}

// path is the branch numbers that lead here.
func (f *Effects) path() script.Path {
	if f.parent == nil {
		return nil
	}

	return append(f.parent.path(), f.branch)
}

// home is the branch in which the agent runs: tools that one turn calls in parallel have branches of their own.
func (f *Effects) home() *Effects {
	for at := f; at != nil; at = at.parent {
		if at.asked {
			return at
		}
	}

	return f
}

// scripted is the player that answers here, and the branch where it does; nil where no script has a say.
func (f *Effects) scripted() (*script.Player, script.Path) {
	home := f.home()
	if f.run.script != nil {
		return f.run.script, home.path()
	}

	return home.player, home.path()
}

// Watched reports whether there is an observer.
func (f *Effects) Watched() bool { return f.run.engine.config.Observer != nil }

// Note tells the observer, who is told one event at a time and in order. One that panics is told nothing more; the run goes on, and
// ends with the *runtime.PanicError.
func (f *Effects) Note(e runtime.Event) {
	r := f.run
	if r.engine.config.Observer == nil {
		return
	}
	e.Run, e.Address, e.Time = r.id, f.Address(), r.engine.config.Clock.Now()

	r.watch.Lock()
	defer r.watch.Unlock()
	r.seq++
	e.Seq = r.seq
	switch e.Kind {
	case runtime.EventEnter:
		r.entered++
	case runtime.EventError:
		if r.failures == nil {
			r.failures = map[string]bool{}
		}
		r.failures[e.Problem] = true
	}
	if r.deaf == nil {
		_, r.deaf = caught("the observer", func() (none struct{}, err error) {
			r.engine.config.Observer.Observe(e)

			return none, nil
		})
	}
}

// End returns what the run's scripts have not played, as *runtime.ScriptError, unless that is allowed; and the panic of an observer.
func (f *Effects) End() error { return both(f.run.leftOver(), f.run.unheard()) }

// Sleep waits on the engine's clock.
func (f *Effects) Sleep(d time.Duration) error {
	if err := f.next(); err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	f.run.engine.config.Clock.Sleep(f.context(), d)

	return f.ended(f.stopped())
}

// Now tells the time of the engine's clock.
func (f *Effects) Now() time.Time {
	f.count++

	return f.run.engine.config.Clock.Now()
}
