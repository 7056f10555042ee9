package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// workflow compares one workflow.
type workflow struct {
	*reader
	ir   *ir.Workflow
	kept kept
	// asksAll says that an expression asks for the object of all outputs.
	asksAll bool
	// states are the states that pipelines are in.
	states map[*ir.Pipeline]inState
}

func newWorkflow(r *reader, n *ir.Workflow) *workflow {
	w := &workflow{reader: r, ir: n, states: map[*ir.Pipeline]inState{}}
	w.locate(n.Body, inState{})

	return w
}

func (w *workflow) all() {
	w.entries()
	w.runType()
	w.pipeline(w.ir.Body, "")
	for _, s := range w.ir.Agents {
		w.prompt(s)
	}
	w.allSteps()
	w.areKept()
	w.answers()
	if w.ir.Context != nil {
		w.textOf(names.ContextSchema(w.agent), w.ir.Context.JSON)
	}
}

// entries compares the methods of App that run the workflow.
func (w *workflow) entries() {
	runAt, with := names.RunAt(w.agent), names.RunWith(w.agent)
	w.entry()
	w.writtenFunc("App."+runAt, runHead(runAt, "_")+" { return a."+with+"(fx, input, nil) }")
	w.writtenFunc("App."+with, "func (a *App) "+with+
		`(fx runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error) {
		r := a.`+names.NewRun(w.agent)+`(fx)
		if err := r.Begin(context); err != nil { return runtime.Finish{}, err }
		return r.`+w.end()+`(r.`+names.Pipeline(w.ir.Body)+`(workflow.Text(input)))
	}`)
	if w.ir.Context != nil {
		from, typ := names.RunFrom(w.agent), names.Context(w.agent)
		w.writtenFunc("App."+from, "func (a *App) "+from+
			`(fx runtime.Effects, input string, context `+typ+`) (runtime.Finish, `+typ+`, error) {
			r := a.`+names.NewRun(w.agent)+`(fx)
			if err := r.BeginWith(context); err != nil { return runtime.Finish{}, context, err }
			fin, err := r.`+w.end()+`(r.`+names.Pipeline(w.ir.Body)+`(workflow.Text(input)))
			return fin, r.context, err
		}`)
	}
	w.writtenFunc("App."+names.NewRun(w.agent), "func (a *App) "+names.NewRun(w.agent)+"(fx runtime.Effects) *"+w.typ()+
		" { "+w.begin()+" }")
}

// end is the method that ends a run: a machine at the end of the workflow has its own key.
func (w *workflow) end() string {
	if tasks := w.ir.Body.Tasks; len(tasks) > 0 {
		if _, isMachine := tasks[len(tasks)-1].Do.(*ir.Machine); isMachine {
			return "Ended"
		}
	}

	return "Done"
}

// begin are the statements that make a run.
func (w *workflow) begin() string {
	run := "&" + w.typ() + "{Run: workflow.Start(fx, " + quoted(w.agent) + "), app: a}"
	if w.ir.Context == nil {
		return "return " + run
	}

	return "r := " + run + "\nr.Bind()\nreturn r"
}

// typ is the type of the workflow's runs.
func (w *workflow) typ() string { return names.RunType(w.agent) }

// method is the key under which the declarations have a method of the workflow's runs.
func (w *workflow) method(name string) string { return w.typ() + "." + name }

// gives compares a method that takes a value, which is called input if it is asked for, and gives one.
func (w *workflow) gives(name, params string, body []statement) {
	w.head(w.method(name), "func (r *"+w.typ()+") "+name+"("+params+param(flat(body))+") (workflow.Value, error)")
	w.statements(name, body, w.function(w.method(name)))
}

// param is the parameter of a method that is given a value: a blank if its body does not ask for it.
func param(body string) string {
	if strings.Contains(body, "input") {
		for _, t := range tokens(body) {
			if t == "input" {
				return "input workflow.Value"
			}
		}
	}

	return "_ workflow.Value"
}

// prompt compares the method that asks an agent whose prompt has placeholders to fill in.
func (w *workflow) prompt(s *ir.Step) {
	if s.Template == nil {
		return
	}
	body := append(one("the agent", "spec := "+names.Spec(s.Label(w.agent))),
		one("the prompt", "spec.Prompt = "+(&scope{w: w}).template(s.Template))...)
	w.gives(names.AskAgent(s.Name.Value), "", append(body, one("the end", "return r.Agent(&spec, input)")...))
}

// answers compares what the runtime is told of people's answers that have a schema.
func (w *workflow) answers() {
	ir.WalkTasks(w.ir.Body, func(t *ir.Task) {
		ask, isHitl := t.Do.(*ir.Hitl)
		if !isHitl || ask.Answer.Schema == nil {
			return
		}
		of := ask.Answer.Of
		w.fields(names.AnswerSpec(of), "runtime.OutputSpec",
			[]field{{"Schema", names.AnswerSchema(of)}, {"Check", "check" + names.Answer(of)}}, w.values[names.AnswerSpec(of)])
		w.textOf(names.AnswerSchema(of), ask.Answer.Schema.JSON)
	})
}
