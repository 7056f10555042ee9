package rehearsal

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// point is where a run is. It is never changed once something follows it.
type point struct {
	env *env
	// next waits for what happens at the point; nil: the run is over.
	next frame
	// came says how what happened came out, value what it gave: the output, or a person's answer for which the state is left.
	came  outcome
	value workflow.Value
	// log is what has happened so far, newest first; turns counts what a script has to answer for.
	log   *entry
	turns int
	// context is that with which the run began.
	context workflow.Value
	// branch are the numbers of the branches in which it is, as text: "0.2.".
	branch string
	// doubtful says that something which only a run knows may have decided otherwise; hit that the run has what is looked for.
	doubtful, hit bool
	// hop says that a machine has come to a state.
	hop bool
}

// outcome says how something came out.
type outcome uint8

const (
	gave outcome = iota
	failed
	left
)

// entry is an item of a log.
type entry struct {
	item   Item
	before *entry
}

// frame is something that waits for what is done inside of it.
type frame interface {
	// resume goes on with what was waited for: all that may follow.
	resume(s *search, p point) []point
	// key writes what tells the frame from others.
	key(s *search, b *strings.Builder)
	// around is the frame that waits for this one.
	around() frame
}

// outer is the frame that waits for another one.
type outer struct{ frame frame }

func (o outer) around() frame { return o.frame }

// with returns the point with an output.
func (p point) with(v workflow.Value) point {
	p.came, p.value = gave, v

	return p
}

// failing returns the point with a failure.
func (p point) failing() point {
	p.came, p.value = failed, workflow.None

	return p
}

// noting returns the point with an item in its log.
func (p point) noting(s *search, item Item) point {
	item.Branch = p.branch
	p.log = &entry{item, p.log}
	p.turns += item.turns()
	s.found.note(item, p.doubtful)
	p.hit = p.hit || s.wanted != nil && s.wanted(item)

	return p
}

// key is the same for points from which the same can follow.
func (p point) key(s *search) string {
	var b strings.Builder
	for f := p.next; f != nil; f = f.around() {
		f.key(s, &b)
		b.WriteByte(0)
	}
	p.env.key(&b)
	b.WriteString(p.value.JSON())
	b.WriteByte(byte(p.came))
	b.WriteString(p.branch)
	b.WriteString(p.context.JSON())
	b.WriteString(strconv.FormatBool(p.doubtful) + strconv.FormatBool(p.hit))

	return b.String()
}

// Item is something that happens in a run and that a script answers for, or that is told of it.
type Item struct {
	Kind ItemKind
	// Name is that of a conversation as scripts have it, of a question, of a function or of a tool.
	Name string
	// Said is what it answers: the text of a reply or an answer, else JSON. With Fails there is a failure in its place.
	Said  string
	Fails bool
	// Machine and Row are the row that is taken.
	Machine *ir.Machine
	Row     *ir.Row
	// Agent is an agent of the project that is run, and Outcome the number of its outcome.
	Agent   *ir.Agent
	Outcome int
	// Branch are the numbers of the branches in which it happens, each with a dot behind it.
	Branch string

	count int
}

// ItemKind says what happens.
type ItemKind uint8

// What can happen.
const (
	Reply  ItemKind = iota + 1 // of a model
	Answer                     // of a person
	Return                     // of a function
	Tool                       // of a tool
	Take                       // a row is taken
	Play                       // an agent of the project is run
)

// turns is what the item counts for the length of a run.
func (i Item) turns() int {
	switch i.Kind {
	case Take:
		return 0
	case Play:
		return i.count
	}

	return 1
}
