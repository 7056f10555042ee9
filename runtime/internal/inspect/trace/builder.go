package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// builder turns records into a tree, one after the other.
type builder struct {
	trace *Trace
	// lanes are the branches of the run, by address; "" is the run itself.
	lanes   map[string]*lane
	effects map[string]*Node
	groups  []*Node
	// asked are the effects that may be a question: those that ask, and calls, whose outcome may not be known.
	asked []*Node
	// problem is the newest error, so that each agent that it ends on its way up does not say it again.
	problem string
}

// lane is one branch: agents in it run one after the other, and within each other.
type lane struct {
	node *Node
	// stack are the agents and states that run, outermost first; at least so many are there to the end.
	stack []frame
	least int
}

type frame struct {
	node  *Node
	agent string
	// owner is, of a state, the agent that its machine belongs to.
	owner string
	// failed reports whether an error ended the agent; it is taken from the stack when something
	// else begins.
	failed bool
}

// forgetFailures removes the failures of agents. A later process resumes the run where it was
// interrupted, so that they may go on.
func (b *builder) forgetFailures() {
	b.problem = ""
	for _, l := range b.lanes {
		for i := range l.stack {
			l.stack[i].failed = false
		}
	}
}

// laneOf returns the branch that contains an address.
func (b *builder) laneOf(address string) *lane { return b.laneAt(BranchOf(address)) }

func (b *builder) laneAt(address string) *lane {
	if l := b.lanes[address]; l != nil {
		return l
	}
	at := strings.LastIndexByte(address, '.')
	group := b.effectAt(address[:at], Parallel, "")
	l := &lane{node: group.addChild(&Node{Kind: Branch, Name: address[at+1:]})}
	b.lanes[address] = l

	return l
}

// effectAt returns the effect at an address, which is added to the tree if it is new: to the agent that is named, if one is, else to
// the caller who runs there.
func (b *builder) effectAt(address string, kind Kind, agent string) *Node {
	if n := b.effects[address]; n != nil {
		return n
	}
	n := &Node{Kind: kind, Address: address}
	b.effects[address] = n
	switch kind {
	case Parallel:
		b.groups = append(b.groups, n)
	case Ask, Tool, Call:
		b.asked = append(b.asked, n)
	}

	return b.agentNode(address, agent).addChild(n)
}

// agentNode returns where to put what an agent does; it begins if it does not run already.
func (b *builder) agentNode(address, name string) *Node {
	l := b.laneOf(address)
	if name == "" || l.returnTo(name) || b.runsOutside(address, name) {
		return l.topNode()
	}
	l.dropFailed()
	// The steps of an agent do not report its begin.
	if flow, _, isStep := strings.Cut(name, "/"); isStep && l.findAgent(flow) < 0 && !b.runsOutside(address, flow) {
		l.openAgent(flow)
	}

	return l.openAgent(name)
}

// openAgent begins an agent. In a branch the first one has done what has been done there: who works in it is only reported later.
func (l *lane) openAgent(agent string) *Node {
	n := &Node{Kind: Agent, Name: agent}
	if len(l.stack) == 0 && !slices.ContainsFunc(l.node.Children, func(n *Node) bool { return n.Kind == Agent }) {
		n.Children, l.node.Children = l.node.Children, nil
	}
	l.topNode().addChild(n)
	l.stack = append(l.stack, frame{node: n, agent: agent})

	return n
}

// returnTo ends what runs within an agent, but for the state that it is in, and reports whether it runs in this branch.
func (l *lane) returnTo(agent string) bool {
	at := l.findAgent(agent)
	for at >= 0 && at+1 < len(l.stack) && l.stack[at+1].owner == agent {
		at++
	}

	return l.popTo(at)
}

// popAgent is back without a state.
func (l *lane) popAgent(agent string) bool { return l.popTo(l.findAgent(agent)) }

// popTo ends what runs within a frame of the stack, and reports whether there is one.
func (l *lane) popTo(at int) bool {
	l.stack = l.stack[:cmp.Or(at+1, len(l.stack))]

	return at >= 0
}

// findAgent is where an agent is on the stack, the innermost of that name; -1 if it does not run in this branch.
func (l *lane) findAgent(agent string) int {
	for i, f := range slices.Backward(l.stack) {
		if f.agent == agent {
			return i
		}
	}

	return -1
}

// runsOutside reports whether an agent runs around the group of a branch without an agent: tools of
// one turn have branches.
func (b *builder) runsOutside(address, agent string) bool {
	for branch := BranchOf(address); branch != "" && len(b.lanes[branch].stack) == 0; {
		branch = BranchOf(branch[:strings.LastIndexByte(branch, '.')])
		if stack := b.lanes[branch].stack; len(stack) > 0 {
			return stack[len(stack)-1].agent == agent
		}
	}

	return false
}

func (l *lane) dropFailed() {
	for len(l.stack) > l.least && l.stack[len(l.stack)-1].failed {
		l.stack = l.stack[:len(l.stack)-1]
	}
}

func (l *lane) topNode() *Node {
	if len(l.stack) == 0 {
		return l.node
	}

	return l.stack[len(l.stack)-1].node
}

// BranchOf is the address of the branch in which an address is: ordinals of effects and numbers of branches take turns, and
// an ordinal may be the last.
func BranchOf(address string) string {
	if dots := strings.Count(address, "."); dots%2 == 0 {
		address = address[:max(strings.LastIndexByte(address, '.'), 0)]
	}

	return address
}

// recordBegin notes that an effect has begun, once more if it had before.
func (n *Node) recordBegin(at time.Time) {
	if n.Problem != "" {
		n.Earlier = append(n.Earlier, n.Problem)
	}
	n.Attempts++
	n.Begun, n.Ended, n.Problem, n.Type = at, time.Time{}, "", ""
	n.unknown = nil
}
