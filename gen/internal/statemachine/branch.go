package statemachine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// conditional lowers a step that runs one of its branches.
func (s *step) conditional() {
	s.input()
	do := &ir.Branch{Func: s.functionOf(s.node.Value("condition"), "condition_expression")}
	s.task.Do = do
	s.decision(s.node, "condition_expression", "condition", func(text ir.Text) {
		do.Key = s.formula(text, s.condition(s.at, s.at.previous()), expr.Key)
		s.olderTruths(do)
	})
	do.Branches = s.arms(ofBranch)
	types := ir.Map(do.Branches, func(arm *ir.Arm) ir.Type { return result(arm.Body, s.data) })
	if f := s.node.Get("default_branch"); f != nil {
		name := within(s.at.frame.pipeline, s.task.Name.Value, "default")
		do.Default = s.pipeline(f.Value, s.inside(ofBranch, s.data), name, "default branch of "+s.task.Name.Value)
		types = append(types, result(do.Default, s.data))
	}
	s.task.Type = dynamic(same(types...))
}

// decision takes an expression, in the place of which another field can name a function, when all steps are known.
func (s *step) decision(n *yamldoc.Node, name, function string, take func(ir.Text)) {
	f, text := n.Get(name), textIn(n.Value(name))
	switch {
	case text.Value == "":
	case n.Get(function) != nil:
		s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used beside %s", name, function))
	default:
		s.later = append(s.later, func() { take(text) })
	}
}

// olderTruths makes branches called yes, on, no and off, which older YAML reads as true and false, what they are meant
// to be where the condition is one of these two, and reports those that have become another name for the same value.
func (s *step) olderTruths(do *ir.Branch) {
	if do.Key == nil {
		return
	}
	if is := do.Key.Root.Is().Schema; is == nil || is.Kind != ir.SchemaBoolean {
		return
	}
	for _, arm := range do.Branches {
		if truth, older := olderWords[strings.ToLower(arm.Name.Value)]; older && !quoted(arm.Name) {
			arm.Name.Value = truth
		}
	}
	first := map[string]*ir.Arm{}
	for _, arm := range do.Branches {
		if other := first[arm.Name.Value]; other != nil {
			s.report(diag.New(diag.DuplicateKey, arm.Name.Span, "branch %q means the same as branch %q", arm.Name.Span.Text(),
				other.Name.Span.Text()).Note(other.Name.Span, "it is here first"))
			continue
		}
		first[arm.Name.Value] = arm
	}
}

var olderWords = map[string]string{"yes": "true", "on": "true", "no": "false", "off": "false"}

// quoted reports whether a name is written otherwise than it is read.
func quoted(name ir.Text) bool { return name.Span.Text() != name.Value }

// arms lowers the branches of a step. Truths have their name in small letters, as the values that choose them.
func (s *step) arms(kind frameKind) []*ir.Arm {
	var arms []*ir.Arm
	for _, f := range s.node.Value("branches").Members() {
		name := frontend.Key(f)
		if small := strings.ToLower(name.Value); (small == "true" || small == "false") && !quoted(name) {
			name.Value = small
		}
		body := s.pipeline(f.Value, s.inside(kind, s.data), within(s.at.frame.pipeline, s.task.Name.Value, name.Value),
			"branch "+name.Value+" of "+s.task.Name.Value)
		arms = append(arms, &ir.Arm{Name: name, Body: body})
	}

	return arms
}

// fork lowers a step that runs branches side by side.
func (s *step) fork() {
	s.input()
	do := &ir.Parallel{
		Branches: s.arms(ofSide),
		Reduce:   reductions[frontend.Text(s.node.Value("reduce")).Value],
	}
	if strings.EqualFold(frontend.Text(s.node.Value("on_branch_failure")).Value, "IGNORE") {
		do.Failed = ir.FailureIgnored
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
			p.Required = do.Failed != ir.FailureIgnored
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
