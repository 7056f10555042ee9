package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// steps are the statements of a method that runs steps.
type steps struct {
	scope
	at   *ir.Pipeline
	list []statement
	// hasValue and hasErr say that the variables value and err are declared.
	hasValue, hasErr bool
}

// pipeline compares the method that runs a pipeline, and the methods of its steps. this is the variable of the item at hand.
func (w *workflow) pipeline(p *ir.Pipeline, this string) {
	s := &steps{scope: scope{w: w, last: "input", this: this}, at: p}
	s.run(p.Tasks)
	w.gives(names.Pipeline(p), "", s.list)
	for _, t := range w.running(p) {
		for ; t != nil; t = t.Fallback {
			w.work(p, t)
		}
	}
}

// work compares the methods that do the work of a step, and the pipelines inside of it that can run.
func (w *workflow) work(p *ir.Pipeline, t *ir.Task) {
	this := ""
	switch do := t.Do.(type) {
	case *ir.Conditional:
		w.choose(p, t, do)
	case *ir.Repeat:
		w.repeat(p, t, do)
	case *ir.Each:
		w.each(p, t, do)
		this = "input"
	case *ir.Fork:
		w.fork(p, t, do)
	case *ir.Import:
		w.imports(p, t, do)
	case *ir.Machine:
		m := w.stateMachine(p, t, do)
		m.walk()
		m.hop()
		m.steps()
		m.rows()
		m.refuse()
		m.types()
		m.runState()
	}
	for _, body := range inside(t) {
		w.pipeline(body, this)
	}
}

func (s *steps) add(list ...statement) { s.list = append(s.list, list...) }

// run adds steps, those that can run, and what they end with.
func (s *steps) run(tasks []*ir.Task) {
	for _, t := range tasks {
		s.task(t)
		if s.leaves(t) {
			return
		}
	}
	s.add(one("the end", "return "+s.last+", nil")...)
}

// task adds a step.
func (s *steps) task(t *ir.Task) {
	call, fails := s.call(t)
	switch {
	case fails:
		s.add(one(t.Name.Value, "value, err "+s.assign(&s.hasValue, &s.hasErr)+" "+s.tried(t, call))...)
		s.failed(t, "")
		s.last = "value"
	case call != "":
		s.add(one(t.Name.Value, "value "+s.assign(&s.hasValue)+" "+call)...)
		s.last = "value"
	}
	s.keep(t)
	s.add(one(t.Name.Value+", the note", "r.Did("+quoted(t.Name.Value)+", "+s.last+")")...)
	s.before = t.Output
}

// assign is := if a variable is not declared yet, else =.
func (s *steps) assign(variables ...*bool) string {
	op := "="
	for _, declared := range variables {
		if !*declared {
			op = ":="
		}
		*declared = true
	}

	return op
}

// failed adds what happens if a step failed. attempt is done in the head of the if; "" if it was done before.
func (s *steps) failed(t *ir.Task, attempt string) {
	head := "if " + attempt + "err != nil"
	s.add(statement{t.Name.Value + ", its failure", head,
		one("the error", "return workflow.None, r.Failed("+quoted(t.Name.Value)+", err)")})
}

// keep adds what becomes of a step's output.
func (s *steps) keep(t *ir.Task) {
	field := stepField(t.Output)
	data := s.w.kept.data[t.Output]
	if data {
		if !s.hasErr {
			s.hasErr = true
			s.add(one(t.Name.Value, "var err error")...)
		}
		s.failed(t, field+", err = workflow.Decode("+s.last+", read"+names.TypeOf(t.Output.Type)+"); ")
	}
	if t.Merges() {
		s.failed(t, "err := r.MergeContext("+s.last+"); ")
	}
	if t.SinkTo != nil {
		args := s.last
		for _, name := range values(t.SinkTo.Path) {
			args += ", " + quoted(name)
		}
		s.failed(t, "err := r.SetContext("+args+"); ")
	}
	if s.w.kept.value[t.Output] && !data {
		s.add(one(t.Name.Value+" is kept", field+" = "+s.last)...)
	}
}

// flat are statements as text.
func flat(list []statement) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s.text)
		if s.body != nil {
			b.WriteString(" {\n" + flat(s.body) + "}")
		}
		b.WriteByte('\n')
	}

	return b.String()
}
