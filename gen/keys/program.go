package keys

import "github.com/agentc-dev/agentc/gen/ir"

// Program is the key flow of a program, each question answered by one computation for all who ask it:
//
//   - [Program.Outcomes]: with which keys an agent can finish;
//   - [Program.Standing] and [Program.StepStanding]: in which places an agent or a step stands, and what is legal there.
//
// Keys are compared trimmed and lower-cased. It is not safe for concurrent use.
type Program struct {
	ir    *ir.Program
	guess Guess
	// numbers are those of the folded keys; texts are how each was written first.
	numbers map[string]int
	texts   []string
	// order has each agent behind those that it contains, but for what closes a circle.
	order    []*ir.Agent
	outcomes map[*ir.Agent]Outcomes
	// standings are computed when somebody asks for one.
	standings map[*ir.Agent]*Standing
}

// Guess says what is assumed of a program that may be faulty. The zero Guess takes it as it is.
type Guess struct {
	// Unknown reports that it is a guess what an agent is: it has no outcomes then.
	Unknown func(*ir.Agent) bool
	// Reached marks the states of a machine that a path leads to from the initial one; a program without errors has no other.
	Reached func(*ir.Machine) []bool
}

// OfProgram returns the key flow of a program.
func OfProgram(program *ir.Program, guess Guess) *Program {
	p := &Program{ir: program, guess: guess, numbers: map[string]int{}, outcomes: map[*ir.Agent]Outcomes{}}
	ir.WalkContained(program.Agents, func([]ir.Containment) {}, func(a *ir.Agent) {
		p.order = append(p.order, a)
		p.outcomes[a] = p.comesOutOf(a)
	})

	return p
}

// number returns the number of a key, which has one from now on.
func (p *Program) number(key string) int {
	fold := Fold(key)
	n, known := p.numbers[fold]
	if !known {
		n = len(p.texts)
		p.numbers[fold] = n
		p.texts = append(p.texts, key)
	}

	return n
}

// unknown reports whether what a runs, or which rows it has, is not known.
func (p *Program) unknown(a *ir.Agent) bool {
	switch node := a.Node.(type) {
	case nil:
		return true
	case *ir.Machine:
		if node == nil || node.External {
			return true
		}
	case *ir.Flow:
		if node.Partial {
			return true
		}
	case *ir.Workflow:
		if node.Partial {
			return true
		}
	}

	return p.guess.Unknown != nil && p.guess.Unknown(a)
}

// reached returns the states of m that a path leads to.
func (p *Program) reached(m *ir.Machine) []*ir.State {
	if p.guess.Reached == nil {
		return m.States
	}
	var states []*ir.State
	for i, seen := range p.guess.Reached(m) {
		if seen {
			states = append(states, m.States[i])
		}
	}

	return states
}
