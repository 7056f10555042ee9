package names

import (
	"hash/maphash"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Collision is an identifier, or a file name, that two texts become. First is first in the ir; its From is the zero
// Text if the name belongs to every program.
type Collision struct {
	First, Second Identifier
}

// Collisions returns the collisions among the identifiers of the package that p becomes, as [Of] does.
func Collisions(p *ir.Program) []Collision {
	if distinct(p) {
		return nil
	}
	_, found := Of(p)

	return found
}

// distinct reports whether all identifiers differ, as they nearly always do. It remembers no more of each than a hash,
// since a table of a large project takes much memory; hashes that happen to be equal cost no more than a table.
func distinct(p *ir.Program) bool {
	seed := maphash.MakeSeed()
	hashes := make([]uint64, 0, 64*len(p.Agents)) // as many as an agent has, about
	t := &Table{keep: func(id Identifier) { hashes = append(hashes, maphash.Comparable(seed, place{id.Scope, id.Go})) }}
	t.program(p)
	slices.Sort(hashes)

	return len(slices.Compact(hashes)) == len(hashes)
}

// place is where no two identifiers may be.
type place struct {
	scope Scope
	name  string
}

// collisions finds names that two texts become. Two texts that collide in one name mostly do so in several, and with them
// what belongs to them: each second text is reported once, and nothing that follows from its owner.
func (t *Table) collisions() []Collision {
	type pair struct{ first, second ir.Text }
	first := make(map[place]int, len(t.all)) // indices of all
	collide := map[pair]bool{}
	reported := map[ir.Text]bool{}
	var found []Collision
	for i, id := range t.all {
		at := place{id.Scope, id.Go}
		earlier, taken := first[at]
		if !taken {
			first[at] = i
			continue
		}
		before := t.all[earlier]
		follows := collide[pair{before.Owner, id.Owner}]
		collide[pair{before.From, id.From}] = true
		if follows || reported[id.From] {
			continue
		}
		reported[id.From] = true
		found = append(found, Collision{First: before, Second: id})
	}

	return found
}
