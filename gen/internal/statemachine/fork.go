package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// fork lowers a step that runs branches side by side.
func (s *step) fork() {
	s.input()
	do := &ir.Parallel{
		Branches: s.arms(ofSide),
		Merge:    merges[strings.ToUpper(tree.Text(s.node.Value("merge_strategy")).Value)],
		Reduce:   reductions[tree.Text(s.node.Value("reduce")).Value],
		Ignore:   strings.EqualFold(tree.Text(s.node.Value("on_branch_failure")).Value, "IGNORE"),
	}
	s.task.Do = do
	if n := s.node.Value("merge_strategy"); n != nil {
		do.MergeAt = n.Span
	}
	do.Fields = s.fieldMapping(do, s.node.Value("field_mapping"))
	s.task.Type = s.typeOfFork(do)
}

var merges = map[string]ir.Merge{
	"NO_MERGE": ir.MergeNone, "OVERWRITE": ir.MergeOverwrite, "CONTEXT_UPDATE": ir.MergeUpdate,
	"ERROR_ON_CONFLICT": ir.MergeConflict, "KEEP_FIRST": ir.MergeKeepFirst,
}

var reductions = map[string]ir.Reduce{
	"keys": ir.ReduceKeys, "values": ir.ReduceValues, "union": ir.ReduceUnion, "concat": ir.ReduceConcat,
	"first": ir.ReduceFirst, "last": ir.ReduceLast, "majority_vote": ir.ReduceMajority,
}

// fieldMapping takes which fields each branch writes back.
func (s *step) fieldMapping(do *ir.Parallel, n *yamldoc.Node) []ir.ForkFields {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	names := make([]string, len(do.Branches))
	for i, arm := range do.Branches {
		names[i] = arm.Name.Value
	}
	var all []ir.ForkFields
	for _, f := range n.Fields {
		branch := tree.Key(f)
		if !slices.Contains(names, branch.Value) {
			s.report(diag.New(diag.BadValue, branch.Span, "step %q has no branch %q", s.task.Name.Value, branch.Value).
				Suggest(branch.Value, names))
			continue
		}
		all = append(all, ir.ForkFields{Branch: branch, Fields: s.places(tree.Texts(f.Value))})
	}

	return all
}

// typeOfFork is what is known of what the branches give together.
func (s *step) typeOfFork(do *ir.Parallel) ir.Type {
	var types []ir.Type
	var properties []*ir.Property
	for _, arm := range do.Branches {
		t := result(arm.Body, s.data)
		types = append(types, t)
		p := property(arm.Name.Value, t)
		p.Required = !do.Ignore
		properties = append(properties, p)
	}
	switch do.Reduce {
	case ir.ReduceObject:
		return object(properties...)
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
