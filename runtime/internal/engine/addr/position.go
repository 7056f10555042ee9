package addr

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
)

// Position is where a branch is in its run, and how many effects it has had.
type Position struct {
	// parent is the branch that started the parallel group; nil outside of a group.
	parent *Position
	// groupOrdinal is the number of the group in the parent, and branch the number of this branch
	// in the group.
	groupOrdinal, branch int
	// count is how many effects the branch has had.
	count int
	// fixed is the address of each effect, if it is not counted; else "".
	fixed string
	// address is the address of the effect with the number addressCount, once it has been asked
	// for.
	address      string
	addressCount int
}

// At returns the position of a branch whose effects all have one address.
func At(address string) Position { return Position{fixed: address} }

// Advance begins the next effect of the branch.
func (p *Position) Advance() { p.count++ }

// Ordinal is the number of the branch's newest effect; 0 before the first.
func (p *Position) Ordinal() int { return p.count }

// Branch is the number of the branch in its group.
func (p *Position) Branch() int { return p.branch }

// InBranch returns the position at the beginning of a branch of a group that p starts with its newest
// effect.
func (p *Position) InBranch(branch int) Position {
	return Position{parent: p, groupOrdinal: p.count, branch: branch}
}

// Address returns the dot path of the branch's newest effect; "" before the first effect of the run.
func (p *Position) Address() string {
	if p.address == "" || p.addressCount != p.count {
		p.address, p.addressCount = p.AddressOf(p.count), p.count
	}

	return p.address
}

// AddressOf returns the address of the branch's effect with a number.
func (p *Position) AddressOf(number int) string {
	if p.parent == nil && p.fixed == "" && number > 0 {
		return strconv.Itoa(number) // which takes no memory for small numbers
	}
	var buffer [64]byte

	return string(p.appendAddress(buffer[:0], number))
}

func (p *Position) appendAddress(dst []byte, number int) []byte {
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

// Path returns the numbers of the branches that lead here.
func (p *Position) Path() script.Path {
	if p.parent == nil {
		return nil
	}

	return append(p.parent.Path(), p.branch)
}

// Encloses reports whether a branch is p, or runs within it.
func (p *Position) Encloses(branch *Position) bool {
	for ; branch != nil; branch = branch.parent {
		if branch == p {
			return true
		}
	}

	return false
}
