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
	asked   []*Node
	// problem is the newest error, so that each agent that it ends on its way up does not tell it again.
	problem string
}

// lane is one branch: agents in it run one after the other, and within each other.
type lane struct {
	node *Node
	// stack are the agents and states that run, outermost first.
	stack []frame
}

type frame struct {
	node  *Node
	agent string
	// failed says that an error ended the agent; it is taken from the stack when something else begins.
	failed bool
}

// revive says that agents which failed may go on: a later process takes the run up where it broke off.
func (b *builder) revive() {
	b.problem = ""
	for _, l := range b.lanes {
		for i := range l.stack {
			l.stack[i].failed = false
		}
	}
}

// lane returns the branch in which an address lies.
func (b *builder) lane(address string) *lane { return b.branch(branchOf(address)) }

func (b *builder) branch(address string) *lane {
	if l := b.lanes[address]; l != nil {
		return l
	}
	at := strings.LastIndexByte(address, '.')
	group := b.effect(address[:at], Parallel, "")
	l := &lane{node: group.add(&Node{Kind: Branch, Name: address[at+1:]})}
	b.lanes[address] = l

	return l
}

// effect returns the effect at an address, which is added to the tree if it is new: to the agent that is named, if one is, else to
// whoever runs there.
func (b *builder) effect(address string, kind Kind, agent string) *Node {
	if n := b.effects[address]; n != nil {
		return n
	}
	n := &Node{Kind: kind, Address: address}
	b.effects[address] = n
	switch kind {
	case Parallel:
		b.groups = append(b.groups, n)
	case Ask:
		b.asked = append(b.asked, n)
	}

	return b.agent(address, agent).add(n)
}

// agent returns where to put what an agent does; it begins if it does not run already.
func (b *builder) agent(address, name string) *Node {
	l := b.lane(address)
	if name == "" || l.drop(name) || b.outside(address, name) {
		return l.top()
	}
	l.dropFailed()
	n := l.top().add(&Node{Kind: Agent, Name: name})
	l.stack = append(l.stack, frame{node: n, agent: name})

	return n
}

// drop ends what runs within an agent, and reports whether that runs in this branch.
func (l *lane) drop(agent string) bool {
	at := l.find(agent)
	l.stack = l.stack[:cmp.Or(at+1, len(l.stack))]

	return at >= 0
}

// find is where an agent stands on the stack, the innermost of that name; -1 if it does not run in this branch.
func (l *lane) find(agent string) int {
	for i, f := range slices.Backward(l.stack) {
		if f.agent == agent {
			return i
		}
	}

	return -1
}

// outside reports whether an agent runs around the group of a branch in which nobody runs: tools of one turn have branches.
func (b *builder) outside(address, agent string) bool {
	for branch := branchOf(address); branch != "" && len(b.lanes[branch].stack) == 0; {
		branch = branchOf(branch[:strings.LastIndexByte(branch, '.')])
		if stack := b.lanes[branch].stack; len(stack) > 0 {
			return stack[len(stack)-1].agent == agent
		}
	}

	return false
}

func (l *lane) dropFailed() {
	for len(l.stack) > 1 && l.stack[len(l.stack)-1].failed {
		l.stack = l.stack[:len(l.stack)-1]
	}
}

func (l *lane) top() *Node {
	if len(l.stack) == 0 {
		return l.node
	}

	return l.stack[len(l.stack)-1].node
}

// branchOf is the address of the branch in which an address lies: ordinals of effects and numbers of branches take turns, and
// an ordinal may be the last.
func branchOf(address string) string {
	if dots := strings.Count(address, "."); dots%2 == 0 {
		address = address[:max(strings.LastIndexByte(address, '.'), 0)]
	}

	return address
}

// began notes that an effect has begun, once more if it had before.
func (n *Node) began(at time.Time) {
	if n.Problem != "" {
		n.Earlier = append(n.Earlier, n.Problem)
	}
	n.Attempts++
	n.Begun, n.Ended, n.Problem, n.Type = at, time.Time{}, "", ""
}
