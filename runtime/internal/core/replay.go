package core

import (
	"strconv"
)

// group is the effect that a parallel group is: it has no result of its own, for its branches have theirs.
func (f *Effects) group(n, limit int) error {
	in, address := parallelIntent(n, limit), f.Address()
	was, err := f.run.tape.find(f, in, address)
	switch {
	case err != nil || was != nil:
		return err
	case f.run.tape.dry:
		return f.pending(in, nil, address)
	}
	f.goLive()
	if err := f.afford(); err != nil {
		return err
	}

	return f.begun(in, nil, address)
}

// wake tells the branch around that this one did what was not done before.
func (f *Effects) wake(around *Effects) {
	if f.live || f.woken.Load() {
		around.woken.Store(true)
	}
}

// ends is asked when a branch has returned: one that is replayed must not be over sooner than it was.
func (f *Effects) ends() {
	t := f.run.tape
	if t == nil || t.past == nil || f.live || f.run.stopped() != nil {
		return
	}
	address := string(f.appendAddress(nil, f.count+1))
	if was := t.past.places[address]; was.began() {
		got := "nothing, for the run has ended"
		if f.parent != nil {
			got = "nothing, for branch " + strconv.Itoa(f.branch) + " has ended"
		}
		f.run.fail(&DivergenceError{Run: f.run.id, Address: address, Want: was.describe(), Got: got})
	}
}
