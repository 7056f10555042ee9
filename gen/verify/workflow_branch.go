package verify

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// fails is what happens if a call failed whose error is of the step.
func fails() statement { return failing("") }

// failing is that for a call in the head of the if.
func failing(attempt string) statement {
	return statement{"the failure", "if " + attempt + "err != nil", one("the error", "return workflow.None, err")}
}

// runs is the call of the method that runs a pipeline.
func runOf(p *ir.Pipeline, input string) string { return "r." + names.Pipeline(p) + "(" + input + ")" }

// choose compares the method that runs a branch of a conditional step.
func (w *workflow) choose(p *ir.Pipeline, t *ir.Task, do *ir.Conditional) {
	var body []statement
	params := ""
	switch {
	case do.Key != nil:
		params = "key string, "
	case do.Func != nil:
		body = append(one("what is chosen", "chosen, err := "+funcCall(do.Func, "input")), fails())
		body = append(body, one("the key", "key := workflow.BranchKey(chosen)")...)
	default:
		body = one("the key", "key := workflow.BranchKey(input)")
	}
	var cases strings.Builder
	var branches []string
	for _, branch := range do.Branches {
		branches = append(branches, branch.Name.Value)
		cases.WriteString("case " + quoted(branch.Name.Value) + ": return " + runOf(branch.Body, "input") + "\n")
	}
	body = append(body, one("the branches", "switch key {\n"+cases.String()+"}")...)
	if do.Default != nil {
		body = append(body, one("the default", "return "+runOf(do.Default, "input"))...)
	} else {
		body = append(body, one("no branch", "return workflow.None, &workflow.BranchKeyError{Step: "+quoted(t.Name.Value)+
			", Key: key, Branches: "+textList(branches)+"}")...)
	}
	w.gives(names.Work(names.Choose, p, t.Name.Value), params, body)
}

// repeat compares the method that runs a loop.
func (w *workflow) repeat(p *ir.Pipeline, t *ir.Task, do *ir.Repeat) {
	turn := append(one("the error", "var err error"), failing("value, err = "+runOf(do.Body, "value")+"; "))
	exit := one("the exit", "return value, nil")
	switch {
	case do.Exit != nil:
		s := &scope{w: w, last: "value", result: "value", before: lastOf(do.Body)}
		turn = append(turn, statement{"the exit", "if " + s.condition(do.Exit.Root).text, exit})
	case do.Func != nil:
		turn = append(turn, one("whether it is over", "over, err := "+funcCall(do.Func, "value"))...)
		turn = append(turn, fails(), statement{"the exit", "if over.True()", exit})
	}
	body := append(one("the input", "value := input"), statement{"the turns", fmt.Sprintf("for range %d", do.Max), turn})
	body = append(body, one("the limit", fmt.Sprintf("return workflow.None, &workflow.LoopLimitError{Step: %q, Turns: %d}",
		t.Name.Value, do.Max))...)
	w.gives(names.Work(names.Repeat, p, t.Name.Value), "", body)
}

// lastOf is the output of the last step of a pipeline; nil without steps.
func lastOf(p *ir.Pipeline) *ir.Output {
	if len(p.Tasks) == 0 {
		return nil
	}

	return p.Tasks[len(p.Tasks)-1].Output
}

// each compares the method that runs steps for each item of a list.
func (w *workflow) each(p *ir.Pipeline, t *ir.Task, do *ir.Each) {
	body := append(one("the items", "items, err := r.Items("+quoted(values(do.Items.Path)...)+")"), fails())
	var begin, item, end []statement
	if w.kept.this {
		begin = one("the item of the step around it", "outer := r.this")
		item = one("the item", "r.this = item")
		end = one("the item of the step around it", "r.this = outer")
	}
	body = append(body, begin...)
	body = append(body, one("the outputs", "outputs := make([]workflow.Value, len(items))")...)
	body = append(body, statement{"the turns", "for i, item := range items",
		append(item, failing("outputs[i], err = "+runOf(do.Body, "item")+"; "))})
	body = append(body, end...)
	w.gives(names.Work(names.Each, p, t.Name.Value), "", append(body, w.eachResult(t, do)...))
}

// eachResult is what a map step comes to.
func (w *workflow) eachResult(t *ir.Task, do *ir.Each) []statement {
	const list = "workflow.List(outputs...)"
	if do.Result == nil {
		return one("the end", "return "+list+", nil")
	}
	s := &scope{w: w, last: "list", result: "list", before: t.Output}
	end := "return " + s.datum(do.Result) + ", nil"
	for _, token := range tokens(end) {
		if token == "list" {
			return append(one("the list", "list := "+list), one("the end", end)...)
		}
	}

	return one("the end", end)
}
