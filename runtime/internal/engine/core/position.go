package core

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
)

// position is where a branch is in its run, and how many effects it has had.
type position struct {
	// parent is the branch that started the parallel group; nil outside of a group.
	parent *position
	// groupOrdinal is the number of the group in the parent, and branch the number of this branch
	// in the group.
	groupOrdinal, branch int
	// count is how many effects the branch has had.
	count int
	// fixed is the address of an effect that a Bench carries out; else "".
	fixed string
	// address is the address of the effect with the number addressCount, once it has been asked
	// for.
	address      string
	addressCount int
}

// inBranch is the position at the beginning of a branch of a group that p starts with its newest
// effect.
func (p *position) inBranch(branch int) position {
	return position{parent: p, groupOrdinal: p.count, branch: branch}
}

// Address is the dot path of the branch's newest effect; "" before the first effect of the run.
func (p *position) Address() string {
	if p.address == "" || p.addressCount != p.count {
		p.address, p.addressCount = p.addressOf(p.count), p.count
	}

	return p.address
}

// addressOf is the address of the branch's effect with a number.
func (p *position) addressOf(number int) string {
	var buffer [64]byte

	return string(p.appendAddress(buffer[:0], number))
}

func (p *position) appendAddress(dst []byte, number int) []byte {
	if p.fixed != "" {
		return append(dst, p.fixed...)
	}
	if p.parent != nil {
		dst = p.parent.appendAddress(dst, p.groupOrdinal)
		dst = append(dst, '.')
		dst = strconv.AppendInt(dst, int64(p.branch), 10)
		if number > 0 {
			dst = append(dst, '.')
		}
	}
	if number > 0 {
		dst = strconv.AppendInt(dst, int64(number), 10)
	}

	return dst
}

// path has the numbers of the branches that lead here.
func (p *position) path() script.Path {
	if p.parent == nil {
		return nil
	}

	return append(p.parent.path(), p.branch)
}

// encloses reports whether a branch is p, or runs within it.
func (p *position) encloses(branch *position) bool {
	for ; branch != nil; branch = branch.parent {
		if branch == p {
			return true
		}
	}

	return false
}
