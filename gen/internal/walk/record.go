package walk

import "strconv"

// recorder collects the answers of a walk.
type recorder struct {
	// turns and answers are those of conversations and of people, the others those of functions, tools and guards, by name.
	turns, answers, funcs, tools, guards *tapes
	// doubtful says that the walk depends on what it is given.
	doubtful bool
	// context is the initial context of the workflow with which the walk begins; "" if it needs none.
	context string
	rows    []*Row
	seen    map[*Row]bool
	// everywhere are passes that are taken wherever their nodes are run, and not only where the walk is led.
	everywhere map[*node]func(*branch)
	outcomes   map[*node]int
	// signal comes with the next turn; "" if none does. lost says that one came where no model is asked.
	signal string
	lost   bool
	// instead are the moves that are made in place of others.
	instead *instead
}

// branch is where in the groups of a run something happens.
type branch struct {
	parent *branch
	// path are the numbers of the branches that lead here, nearest the last of them; -1 outside of groups.
	path    string
	nearest int
	// asked says that a model was asked here.
	asked bool
}

func (b *branch) inner(n int) *branch {
	return &branch{parent: b, path: b.path + strconv.Itoa(n) + ".", nearest: n}
}

func newRecorder() *recorder {
	return &recorder{
		turns: newTapes(), answers: newTapes(), funcs: newTapes(), tools: newTapes(), guards: newTapes(), seen: map[*Row]bool{},
	}
}

// play answers for a node that ends with an outcome.
func (r *recorder) play(b *branch, n *node, outcome int) {
	if pass := r.everywhere[n]; pass != nil && r.outcomes[n] == outcome {
		pass(b)
		return
	}
	n.body.play(r, b, n, n.outcomes[outcome].way)
}

// playAny answers for a node whose outcome nobody asks for.
func (r *recorder) playAny(b *branch, n *node) {
	if pass := r.everywhere[n]; pass != nil {
		pass(b)
		return
	}
	r.play(b, n, n.cheapest())
}

// lead answers for a walk through passes, each inside of the one before.
func (r *recorder) lead(b *branch, passes []*pass) {
	p := passes[0]
	p.by.body.pass(r, b, p, func(in *branch) {
		if len(passes) > 1 {
			r.lead(in, passes[1:])
		} else {
			r.play(in, p.runs, p.outcome)
		}
	})
}

// leadEverywhere is lead, but takes the same way through what it passes wherever that is run.
func (r *recorder) leadEverywhere(b *branch, passes []*pass) {
	r.everywhere, r.outcomes = map[*node]func(*branch){}, map[*node]int{}
	for i, p := range passes[:len(passes)-1] {
		r.outcomes[p.runs] = p.outcome
		r.everywhere[p.runs] = func(in *branch) { r.lead(in, passes[i+1:]) }
	}
	r.lead(b, passes)
}

func (r *recorder) turn(b *branch, label string, t Turn) {
	b.asked = true
	t.Signal, r.signal = r.signal, ""
	r.turns.add(label, b, t)
}

// while lets a signal come with the first turn of what is played; "" is none.
func (r *recorder) while(signal string, play func()) {
	if signal != "" {
		r.signal = signal
	}
	play()
	r.lost = r.lost || r.signal != ""
	r.signal = ""
}

// say answers for the named guards among those that are asked; an expression answers itself.
func (r *recorder) say(b *branch, all sayings) {
	for _, a := range all {
		if a.guard.Func != nil {
			r.guards.add(a.guard.Func.Name.Value, b, Turn{Value: strconv.FormatBool(a.holds != a.guard.Not)})
		}
	}
}

// answer is what people answer.
const answer = "yes"

// ask answers a question, which is called after its agent or its step. Where the engine counts the branch from is the nearest
// place at which a model was asked.
func (r *recorder) ask(b *branch, name, said string) {
	home := b
	for at := b; at != nil; at = at.parent {
		if at.asked {
			home = at
			break
		}
	}
	r.answers.add(name, home, Turn{Say: said})
}

func (r *recorder) took(row *Row) {
	if !r.seen[row] {
		r.seen[row] = true
		r.rows = append(r.rows, row)
	}
}
