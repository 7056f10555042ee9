package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// imports compares the method that runs another workflow.
func (w *workflow) imports(p *ir.Pipeline, t *ir.Task, do *ir.Import) {
	child := do.Agent.Agent
	context := "workflow.Object()"
	if do.Inherit {
		context = "r.Context()"
	}
	body := append(one("the child", "child := r.app."+names.NewRun(child.Name.Value)+"(r.Fx())"),
		failing("err := child.Inherit("+context+"); "))
	if do.InputTo != ir.InputToPrompt {
		body = append(body, failing("err := child.TakeInput("+quoted(do.Key)+", input); "))
	}
	body = append(body, one("the run", "value, err := child."+names.Pipeline(child.Node.(*ir.Workflow).Body)+"(input)")...)
	body = append(body, statement{"the failure", "if err != nil", one("what it means", instead(do.OnFailure))})
	switch {
	case t.UpdatesContext && do.All:
		body = append(body, failing("err := r.TakeAll(&child.Run); "))
	case do.Next:
		body = append(body, one("where the machine goes", "r.TakeNext(&child.Run)")...)
	case t.UpdatesContext:
		for _, o := range do.Outputs {
			body = append(body, failing("err := r.TakeBack(&child.Run, value, "+textList(values(o.Child.Path))+", "+
				textList(values(o.Parent.Path))+"); "))
		}
	}
	w.gives(names.Work(names.Import, p, t.Name.Value), "", append(body, one("the end", "return value, nil")...))
}

// instead is what a failed child comes to.
func instead(how ir.ImportFailure) string {
	switch how {
	case ir.FailureSkip:
		return "return r.Instead(workflow.None, err)"
	case ir.FailureDefault:
		return "return r.Instead(workflow.Object(), err)"
	}

	return "return workflow.None, err"
}
