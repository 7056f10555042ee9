package emit

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// digest hashes a sequence of texts. Each text is preceded by its length, so that no two sequences
// give the same input.
type digest struct {
	hash hash.Hash
}

func newDigest() *digest { return &digest{sha256.New()} }

func (d *digest) addTexts(texts ...string) {
	var length [8]byte
	for _, text := range texts {
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		d.hash.Write(length[:])
		d.hash.Write([]byte(text))
	}
}

// sum returns 32 hexadecimal digits.
func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil))[:32] }

// ShapeHash covers what an interrupted run depends on: states, rows, the operations of flows,
// patterns, the keys and values that agents and steps finish with, in any order, skills and the
// schemas of tools. Numbers of repetitions are part of it if the run continues afterwards:
// variants, rounds, attempts, cycles. Limits at which a run fails, for example of turns, states and
// items, are not part of it: an interrupted run has not reached them. Guards, other expressions
// and inputs of functions are part of it, because a resumed run uses the values that they gave.
// Inputs of agents and people are not: they are texts, like prompts, and an interrupted run already
// has the answers. The tag `shape:"-"` excludes a field of the ir.
func ShapeHash(p *ir.Program) string {
	d := newDigest()
	for _, a := range p.Agents {
		d.addTexts("agent", a.Name.Value, a.Node.Pattern())
		switch n := a.Node.(type) {
		case *ir.Machine:
			d.addValue(n)
		case *ir.Flow:
			if n.IsWorkflow() {
				d.addValue(n.Context)
			}
		}
		for _, s := range a.Conversations() {
			d.addTexts("step", s.Name.Value)
			d.addValue(s.Node)
		}
		d.addValue(a.Body())
	}
	for _, s := range p.Skills {
		d.addTexts("skill", s.Name.Value)
		for _, ref := range s.Tools {
			d.addTexts(ref.Value)
		}
	}
	for _, tool := range p.AllTools() {
		d.addTexts("tool", tool.Name.Value, string(tool.Effect))
		d.addValue(tool.Input)
		d.addValue(tool.Output)
	}
	for _, f := range p.Funcs {
		d.addTexts("function", f.Name.Value)
		d.addValue(f.Input)
		d.addValue(f.Output)
		if f.Context != nil {
			d.addValue(f.Context)
		}
	}

	return d.sum()
}

// addValue adds a value of the ir: its name if it is declared elsewhere, its source text if it has
// one, else its fields.
func (d *digest) addValue(x any) {
	switch x := x.(type) {
	case nil:
		d.addTexts("nil")
	case ir.Text:
		d.addTexts(x.Value)
	case ir.Expression:
		d.addTexts(cmp.Or(x.At().Text(), ir.Describe(x)))
	case source.Span, *ir.Output: // places, and names of outputs
	case *ir.Machine:
		d.addMachine(x)
	case ir.React:
		d.addReact(x)
	case *ir.Task:
		d.addTask(x)
	case *ir.Loop:
		d.addLoop(x)
	default:
		d.addReflected(reflect.ValueOf(x))
	}
}

// addTask adds a step.
func (d *digest) addTask(t *ir.Task) {
	if t == nil {
		d.addTexts("nil")
		return
	}
	shape := *t
	if isGivenWords(t) {
		shape.Input = nil
	}
	d.addFields(reflect.ValueOf(shape))
	if do, passesOn := t.Do.(*ir.PassOn); passesOn && do.Waits() {
		d.addTexts("waits")
	}
	if t.Within > 0 {
		d.addTexts("within")
	}
	if t.ForTimeout {
		d.addTexts("on timeout")
	}
	if t.Part != 0 {
		d.addTexts("part", strconv.Itoa(int(t.Part)))
	}
	if t.MergedFields != nil {
		d.addTexts("merges")
		d.addTexts(ir.Values(t.MergedFields)...)
	}
}

// addReact adds a conversation. The order of its keys is not part of the shape.
func (d *digest) addReact(n ir.React) {
	n.Keys = slices.SortedFunc(slices.Values(n.Keys), func(a, b ir.Text) int {
		return cmp.Compare(a.Value, b.Value)
	})
	d.addFields(reflect.ValueOf(n))
}

// addLoop adds a loop. Its bound is part of the shape if the run continues after it. A loop whose
// exit is tested after each turn has the shape that it had in earlier versions.
func (d *digest) addLoop(l *ir.Loop) {
	d.addFields(reflect.ValueOf(*l))
	if l.OnBound == ir.BoundDone {
		d.addTexts("turns", strconv.Itoa(l.Max))
	}
	if l.ItemsPath() != nil && l.RunsApart() {
		d.addTexts("items apart")
	}
	if l.ExitFirst {
		d.addTexts("exit first")
	}
	if l.AtBound != nil {
		d.addTexts("skips steps")
	}
	if len(l.Histories) > 0 {
		d.addTexts("conversation")
	}
}

// addReflected adds any other value. The same values give the same bytes: the ir has no maps.
func (d *digest) addReflected(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			d.addTexts("nil")
			return
		}
		d.addNamed(v)
	case reflect.Struct:
		d.addFields(v)
	case reflect.Slice:
		d.addTexts("list", strconv.Itoa(v.Len()))
		for i := range v.Len() {
			d.addValue(v.Index(i).Interface())
		}
	default:
		d.addTexts(fmt.Sprint(v))
	}
}

// addNamed adds the target of a pointer: its name or its source text, if it is declared elsewhere
// or has nothing else.
func (d *digest) addNamed(v reflect.Value) {
	switch x := v.Interface().(type) {
	case *ir.Agent:
		d.addTexts(x.Name.Value)
	case *ir.AgentRef:
		d.addTexts(x.Agent.Name.Value)
	case *ir.Step:
		d.addTexts(x.Name.Value)
	case *ir.Func:
		d.addTexts(x.Name.Value)
	case *ir.Schema:
		d.addTexts(x.JSON)
	default:
		d.addValue(v.Elem().Interface())
	}
}

// addFields adds the source text of a struct, or its fields.
func (d *digest) addFields(v reflect.Value) {
	d.addTexts(v.Type().Name())
	if text := v.FieldByName("Text"); text.IsValid() && text.Type() == reflect.TypeFor[ir.Text]() {
		d.addValue(text.Interface())
		return
	}
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.Tag.Get("shape") != "-" {
			d.addValue(v.Field(i).Interface())
		}
	}
}

// addMachine adds the states of a machine, sorted by name, and the rows in the order in which they
// are tried.
func (d *digest) addMachine(m *ir.Machine) {
	d.addTexts("machine", m.Initial.Value, strconv.FormatBool(m.External))
	states := slices.SortedFunc(slices.Values(m.States), func(a, b *ir.State) int {
		return cmp.Compare(a.Name.Value, b.Name.Value)
	})
	for _, s := range states {
		d.addValue(s)
		d.addTexts(strconv.Itoa(len(s.Rows)))
		if s.Fails {
			d.addTexts("fails")
		}
	}
	d.addValue(m.Rows())
}

// ProgramName returns the name of the program: its entry point, or its package if several agents
// could be the entry point.
func ProgramName(p *ir.Program) string {
	if p.Entry != nil {
		return p.Entry.Name.Value
	}

	return p.Package
}

// TextHash covers prompts, descriptions, budgets, and the inputs of models and people in workflows.
// The runtime computes it from the same parts: compiled.Program.TextHash.
func TextHash(p *ir.Program) string {
	all := []byte(hashSharedText(p))
	for _, a := range p.Agents {
		all = append(all, hashAgentText(a)...)
	}
	sum := sha256.Sum256(all)

	return hex.EncodeToString(sum[:])[:32]
}

// hashAgentText returns the part of an agent. It is written into the agent's own file, so that
// changes of prompts by two people change two files.
func hashAgentText(a *ir.Agent) string {
	d := newDigest()
	d.addTexts("agent", a.Name.Value, a.Description.Value)
	if _, isMachine := a.Node.(*ir.Machine); !isMachine { // no model is given the text of a machine
		d.addTexts("prompt", a.Prompt.Value)
	}
	d.addValue(a.Budget)
	for _, s := range a.Conversations() {
		if s.Name.Value != "" { // otherwise it is the agent's own
			d.addTexts("step", s.Name.Value, s.Prompt.Value)
		}
		if n, isReact := s.Node.(*ir.React); isReact && len(n.Keys) > 0 {
			d.addTexts("keys")
			d.addTexts(ir.Values(n.Keys)...) // a model sees them in this order
		}
	}
	ir.Walk(a.Body(), d.addWords)

	return d.sum()
}

// hashSharedText returns the part that belongs to no single agent.
func hashSharedText(p *ir.Program) string {
	d := newDigest()
	d.addValue(p.Budget)
	for _, s := range p.Skills {
		d.addTexts("skill", s.Name.Value, s.Description.Value, s.Body.Value)
		for _, f := range s.Files {
			d.addTexts("file", f.Path, f.Content)
		}
	}
	for _, tool := range p.AllTools() {
		d.addTexts("tool", tool.Name.Value, tool.Description.Value)
		for _, part := range tool.Question {
			d.addTexts("question", part.Text, strings.Join(part.Path, "."))
		}
	}

	return d.sum()
}

// addWords adds the texts that a step gives to a model or a person, and their budget. A step of a
// pattern uses texts of the pattern.
func (d *digest) addWords(op ir.Op) {
	switch op := op.(type) {
	case *ir.Task:
		if !isWritten(op) {
			return
		}
		if isGivenWords(op) {
			d.addTexts("step", op.Name.Value)
			d.addValue(op.Input)
		}
		d.addTexts("limits", op.Name.Value, fmt.Sprint(op.Tokens, op.USD))
	case *ir.Ask:
		if op.Message != nil {
			d.addValue(op.Message)
		}
	}
}

// isWritten reports whether a step is in the source, not only in the pattern.
func isWritten(t *ir.Task) bool { return t.Span.File != nil }

// isGivenWords reports whether the input of a step is a text for a model or a person. Values that a
// pattern assigns are texts.
func isGivenWords(t *ir.Task) bool {
	switch t.Do.(type) {
	case *ir.Run, *ir.Ask:
		return true
	case *ir.PassOn:
		return !isWritten(t)
	}

	return false
}
