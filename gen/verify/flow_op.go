package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// op returns the statements of an operation.
func (f *flow) op(op ir.Op) []statement {
	switch op := op.(type) {
	case *ir.Run:
		return result(op.Var, f.run(op))
	case *ir.Together:
		return result(op.Var, f.together(op))
	case *ir.ForEach:
		return result(op.Var, f.forEach(op))
	case *ir.Times:
		return result(op.Var, fmt.Sprintf("runtime.Times(fx, %q, %d, %d, %q, func(fx runtime.Effects) %s)",
			f.agent, op.Limit, op.N, op.Title, f.closure(op.Run)))
	case *ir.Ask:
		return result(op.Var, fmt.Sprintf("runtime.AskPerson(fx, %q, %s)", f.agent, op.Question))
	case *ir.Notes:
		return one(op.Var, op.Var+" := "+brief(op.Sections))
	case *ir.Append:
		return one("more of "+op.Var, op.Var+" = "+op.Var+added(op.Sections))
	case *ir.Let:
		return one(op.Var, op.Var+" := "+text(op.Text))
	case *ir.Set:
		return one("another "+op.Var, op.Var+" = "+text(op.Text))
	case *ir.Loop:
		return []statement{{"the loop", "for " + turns(op), f.body(op.Body)}}
	case *ir.Range:
		return []statement{{"the " + op.Item + "s", "for _, " + op.Item + " := range " + items(op.List), f.body(op.Body)}}
	case *ir.If:
		cond := condition(op.Cond)
		return []statement{{"if " + cond, "if " + cond, f.body(op.Then)}}
	}

	return one("the end", "return "+f.end(op.(*ir.Return)))
}

func one(where, text string) []statement { return []statement{{where, text, nil}} }

// result returns the statements of a call that can fail.
func result(name, call string) []statement {
	return []statement{
		{name, name + ", err := " + call, nil},
		{"when " + name + " fails", "if err != nil", one("the error", "return runtime.Finish{}, err")},
	}
}

// run returns the call of what runs.
func (f *flow) run(run *ir.Run) string {
	at := f.place(run).argument()
	if run.Step != nil {
		return conversation{run.Step, run.Step.Label(f.agent)}.call(text(run.Input), at)
	}

	return "a." + names.RunAt(run.Agent.Agent.Name.Value) + "(fx, " + text(run.Input) + ", " + at + ")"
}

// closure returns the rest of a function that runs something, behind its parameters.
func (f *flow) closure(run *ir.Run) string {
	return "(runtime.Finish, error) { return " + f.run(run) + " }"
}

func (f *flow) together(op *ir.Together) string {
	branches := ""
	for _, ref := range op.Agents {
		name := ref.Agent.Name.Value
		branches += ", runtime.Branch{Name: " + strconv.Quote(name) + ", Run: a." + names.RunAt(name) + "}"
	}

	return fmt.Sprintf("runtime.Together(fx, %q, %d, %s%s)", f.agent, op.Limit, text(op.Input), branches)
}

// forEach returns the call for each item; an agent that is given nothing but the item, at the free place, is handed over as
// it is.
func (f *flow) forEach(op *ir.ForEach) string {
	run := "func(fx runtime.Effects, " + op.Item + " string, _ runtime.Place) " + f.closure(op.Run)
	if given, isItem := op.Run.Input.(ir.TextOf); isItem && given.Var == op.Item && op.Run.Agent != nil &&
		op.Run.At.Kind == ir.PlaceFree {
		run = "a." + names.RunAt(op.Run.Agent.Agent.Name.Value)
	}

	return fmt.Sprintf("runtime.ForEach(fx, %q, %d, %s, %s)", f.agent, op.Limit, items(op.List), run)
}

// turns is what stands behind for.
func turns(loop *ir.Loop) string {
	switch {
	case loop.Counter == "" && loop.Times == 0:
		return ""
	case loop.Counter == "":
		return "range " + strconv.Itoa(loop.Times)
	case loop.Times == 0:
		return loop.Counter + " := 1; ; " + loop.Counter + "++"
	}

	return fmt.Sprintf("%[1]s := 1; %[1]s <= %[2]d; %[1]s++", loop.Counter, loop.Times)
}

// end returns the call that ends the flow.
func (f *flow) end(end *ir.Return) string {
	value := end.Var + map[ir.Form]string{ir.FormDocument: ".Document()", ir.FormObject: ".Object()"}[end.Form]
	function, place, rest := "Done", "", ""
	switch end.Key {
	case ir.KeyOwn:
		function = "Pass"
	case ir.KeyExhausted:
		function, place = "Exhausted", "at, "
	case ir.KeyUnfinished:
		function, place, rest = "Unfinished", "at, ", fmt.Sprintf(", %d, %s.Value", end.Limit, end.Feedback)
	}

	return fmt.Sprintf("runtime.%s(fx, %q, %s%s%s)", function, f.agent, place, value, rest)
}

func items(list ir.List) string {
	read := map[ir.ListKind]string{ir.ListItems: "Items", ir.ListPlan: "PlanSteps", ir.ListClaims: "Claims"}[list.Kind]

	return "runtime." + read + "(" + list.Of + ")"
}

// text is how a text of a flow is written.
func text(e ir.Expr) string {
	switch e := e.(type) {
	case ir.Value:
		return e.Var + ".Value"
	case ir.TextOf:
		return e.Var
	case ir.Report:
		return e.Var + ".String()"
	case ir.Brief:
		if e.Base != "" {
			return e.Base + added(e.Sections) + ".String()"
		}
		return brief(e.Sections) + ".String()"
	}

	return "input"
}

func brief(sections []ir.Section) string {
	var list []string
	for _, s := range sections {
		list = append(list, "{"+strconv.Quote(s.Title)+", "+text(s.Text)+"}")
	}

	return "runtime.Brief{" + strings.Join(list, ", ") + "}"
}

// added are the calls that add sections to notes.
func added(sections []ir.Section) string {
	calls := ""
	for _, s := range sections {
		calls += ".Add(" + strconv.Quote(s.Title) + ", " + text(s.Text) + ")"
	}

	return calls
}

func condition(c ir.Cond) string {
	switch c := c.(type) {
	case ir.KeyIs:
		is := c.Var + ".Is(" + strconv.Quote(c.Key) + ")"
		if c.Not {
			return "!" + is
		}
		return is
	case ir.SaysDone:
		return "runtime.SaysDone(" + c.Var + ".Value)"
	}
	limit := c.(ir.AtLimit)

	return limit.Counter + " == " + strconv.Itoa(limit.N)
}
