package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// fork compares the method that runs branches side by side.
func (w *workflow) fork(p *ir.Pipeline, t *ir.Task, do *ir.Fork) {
	call := "branches, err := workflow.Fork(r, " + sideBySide(t, do) + ", input"
	for _, branch := range do.Branches {
		call += ", " + w.branch(branch, do)
	}
	body := append(one("the branches", call+")"), fails())
	body = append(body, w.taken(do)...)
	w.gives(names.Work(names.Fork, p, t.Name.Value), "", append(body, one("the end", "return "+reduced(do.Reduce))...))
}

// sideBySide is what becomes of the branches.
func sideBySide(t *ir.Task, do *ir.Fork) string {
	text := "workflow.Parallel{Step: " + quoted(t.Name.Value)
	switch do.Merge {
	case ir.MergeNone:
		text += ", Isolated: true"
	case ir.MergeKeepFirst:
		text += ", Keep: workflow.KeepFirst"
	case ir.MergeOverwrite:
		text += ", Keep: workflow.KeepLast"
	case ir.MergeUpdate:
		if do.MergeAt.IsValid() {
			text += ", Keep: workflow.KeepLast"
		}
	}
	if do.Ignore {
		text += ", Ignore: true"
	}

	return text + "}"
}

func (w *workflow) branch(branch *ir.Arm, do *ir.Fork) string {
	text := "workflow.Branch[" + w.typ() + "]{Name: " + quoted(branch.Name.Value) +
		", Run: (*" + w.typ() + ")." + names.Pipeline(branch.Body)
	for _, fields := range do.Fields {
		if fields.Branch.Value == branch.Name.Value {
			var paths []string
			for _, field := range fields.Fields {
				paths = append(paths, "{"+quoted(values(field.Path)...)+"}")
			}
			text += ", Fields: [][]string{" + strings.Join(paths, ", ") + "}"
		}
	}

	return text + "}"
}

// taken is how what the steps of branches came to is kept like what others did.
func (w *workflow) taken(do *ir.Fork) []statement {
	cases := ""
	for _, branch := range do.Branches {
		inside := map[*ir.Output]bool{}
		ir.WalkTasks(branch.Body, func(t *ir.Task) { inside[t.Output] = true })
		taken := ""
		for _, o := range w.ir.Outputs {
			if inside[o] && w.kept.value[o] {
				taken += stepField(o) + " = branch.Run" + strings.TrimPrefix(stepField(o), "r") + "\n"
			}
		}
		if taken != "" {
			cases += "case " + quoted(branch.Name.Value) + ":\n" + taken
		}
	}
	if cases == "" {
		return nil
	}

	return []statement{{"what is kept", "for _, branch := range branches",
		one("the branches", "switch branch.Name {\n"+cases+"}")}}
}

// reduced is the output of the branches, and its error.
func reduced(how ir.Reduce) string {
	const all = "(workflow.Values(branches)...)"
	switch how {
	case ir.ReduceKeys:
		return "workflow.Names(branches), nil"
	case ir.ReduceValues:
		return "workflow.List" + all + ", nil"
	case ir.ReduceUnion:
		return "workflow.Union" + all
	case ir.ReduceConcat:
		return "workflow.Flatten(workflow.List" + all + ")"
	case ir.ReduceFirst:
		return "workflow.FirstOutput(branches), nil"
	case ir.ReduceLast:
		return "workflow.LastOutput(branches), nil"
	case ir.ReduceMajority:
		return "workflow.Majority" + all + ", nil"
	}

	return "workflow.Outputs(branches), nil"
}
