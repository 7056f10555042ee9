package core

import (
	"strconv"
)

// leaveReplay notes that later effects of this branch were not carried out before.
func (f *Effects) leaveReplay() {
	f.replay.IsLive = true
	f.run.events.leaveReplay(f.Address())
}

// checkBranchEnd ends the run with a *DivergenceError if the branch has returned before it has done
// what was recorded of it.
func (f *Effects) checkBranchEnd() {
	if f.replay.IsLive || f.run.stopped() != nil {
		return
	}
	address := f.at.AddressOf(f.at.Ordinal() + 1)
	prior := f.run.journal.recordedAt(address)
	if !prior.HasBegun() {
		return
	}
	if f.run.journal.changes != nil {
		_ = f.reportChange(address)

		return
	}
	got := "nothing, for the run has ended"
	if f.parent != nil {
		got = "nothing, for branch " + strconv.Itoa(f.at.Branch()) + " has ended"
	}
	_ = f.run.diverge(address, prior.Describe(), got)
}

// diverge ends the run because the program asks for another effect than was recorded at an address,
// and returns the error.
func (r *run) diverge(address, want, got string) error {
	return r.failRun(&DivergenceError{Run: r.id, Address: address, Want: want, Got: got})
}
