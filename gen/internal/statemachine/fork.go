package statemachine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// fork lowers a step that runs branches side by side.
func (s *step) fork() {
	s.input()
	do := &ir.Parallel{
		Branches: s.arms(ofSide),
		Reduce:   reductions[frontend.Text(s.node.Value("reduce")).Value],
		Ignore:   strings.EqualFold(frontend.Text(s.node.Value("on_branch_failure")).Value, "IGNORE"),
	}
	if n := s.node.Value("merge_strategy"); n != nil {
		do.Merge = cmp.Or(merges[strings.ToUpper(frontend.Text(n).Value)], ir.MergeOverwrite) // another word has been reported
	}
	s.task.Do = do
	s.fieldMapping(do, s.node.Value("field_mapping"))
	s.task.Type = s.typeOfFork(do)
}

var merges = map[string]ir.Merge{
	"NO_MERGE": ir.MergeNone, "OVERWRITE": ir.MergeOverwrite, "CONTEXT_UPDATE": ir.MergeOverwrite,
	"ERROR_ON_CONFLICT": ir.MergeConflict, "KEEP_FIRST": ir.MergeKeepFirst,
}

var reductions = map[string]ir.Reduce{
	"keys": ir.ReduceKeys, "values": ir.ReduceValues, "union": ir.ReduceUnion, "concat": ir.ReduceConcat,
	"first": ir.ReduceFirst, "last": ir.ReduceLast, "majority_vote": ir.ReduceMajority,
}

// fieldMapping takes which fields each branch writes back.
func (s *step) fieldMapping(do *ir.Parallel, n *yamldoc.Node) {
	names := ir.Map(do.Branches, func(arm *ir.Arm) string { return arm.Name.Value })
	for _, f := range n.Members() {
		branch := frontend.Key(f)
		i := slices.Index(names, branch.Value)
		if i < 0 {
			s.report(diag.New(diag.BadValue, branch.Span, "step %q has no branch %q", s.task.Name.Value, branch.Value).
				Suggest(branch.Value, names))
			continue
		}
		do.Branches[i].Only, do.Branches[i].Fields = true, s.places(frontend.Texts(f.Value))
	}
}

// typeOfFork is what is known of what the branches give together.
func (s *step) typeOfFork(do *ir.Parallel) ir.Type {
	types := ir.Map(do.Branches, func(arm *ir.Arm) ir.Type { return result(arm.Body, s.data) })
	switch do.Reduce {
	case ir.ReduceObject:
		t := object()
		for i, arm := range do.Branches {
			p := property(arm.Name.Value, types[i])
			p.Required = !do.Ignore
			t.Schema.Properties = append(t.Schema.Properties, p)
		}
		return t
	case ir.ReduceKeys:
		return listOf(textType)
	case ir.ReduceValues:
		return listOf(same(types...))
	case ir.ReduceConcat:
		return listType
	case ir.ReduceFirst, ir.ReduceLast, ir.ReduceMajority:
		return same(types...)
	}

	return unknown
}
