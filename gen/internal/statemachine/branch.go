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

// lowerConditional lowers a step that runs one of its branches.
func (s *step) lowerConditional() {
	s.lowerInput()
	do := &ir.Branch{Func: s.lowerFunctionName(s.node.Value("condition"), "condition_expression")}
	s.task.Do = do
	s.lowerDecision(s.node, "condition_expression", "condition", func(text ir.Text) {
		do.Key = s.parseFormula(text, s.conditionScope(s.at, s.at.previousOutput()), expr.Key)
		s.normalizeTruths(do)
	})
	do.Branches = s.lowerArms(ofBranch)
	types := ir.Map(do.Branches, func(arm *ir.Arm) ir.Type { return resultType(arm.Body, s.data) })
	if f := s.node.Field("default_branch"); f != nil {
		name := nestedName(s.at.frame.pipeline, s.task.Name.Value, "default")
		do.Default = s.lowerPipeline(f.Value, s.childFrame(ofBranch, s.data), name, "default branch of "+s.task.Name.Value)
		types = append(types, resultType(do.Default, s.data))
	}
	s.task.Type = withoutOwner(commonType(types...))
}

// lowerDecision passes an expression to take once all steps are known, unless a function decides.
func (s *step) lowerDecision(n *yamldoc.Node, name, function string, take func(ir.Text)) {
	f, text := n.Field(name), textOf(n.Value(name))
	switch {
	case text.Value == "":
	case n.Field(function) != nil:
		s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used beside %s", name, function))
	default:
		s.later = append(s.later, func() { take(text) })
	}
}

// normalizeTruths gives branches called yes, on, no and off, which older YAML reads as booleans,
// the names true and false if the condition is a boolean. It reports branches that then have the
// same name.
func (s *step) normalizeTruths(do *ir.Branch) {
	if do.Key == nil {
		return
	}
	if is := do.Key.Root.ValueType().Schema; is == nil || is.Kind != ir.SchemaBoolean {
		return
	}
	for _, arm := range do.Branches {
		if truth, older := olderWords[strings.ToLower(arm.Name.Value)]; older && !isQuoted(arm.Name) {
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

// isQuoted reports whether the spelling of a name differs from its value.
func isQuoted(name ir.Text) bool { return name.Span.Text() != name.Value }

// lowerArms lowers the branches of a step. The names True and False become lower case, like the
// values that select them.
func (s *step) lowerArms(kind frameKind) []*ir.Arm {
	var arms []*ir.Arm
	for _, f := range s.node.Value("branches").Members() {
		name := frontend.Key(f)
		if small := strings.ToLower(name.Value); (small == "true" || small == "false") && !isQuoted(name) {
			name.Value = small
		}
		body := s.lowerPipeline(f.Value, s.childFrame(kind, s.data), nestedName(s.at.frame.pipeline, s.task.Name.Value, name.Value),
			"branch "+name.Value+" of "+s.task.Name.Value)
		arms = append(arms, &ir.Arm{Name: name, Body: body})
	}

	return arms
}

// lowerParallel lowers a step that runs branches in parallel.
func (s *step) lowerParallel() {
	s.lowerInput()
	do := &ir.Parallel{
		Branches: s.lowerArms(ofSide),
		Reduce:   reductions[frontend.Text(s.node.Value("reduce")).Value],
	}
	if strings.EqualFold(frontend.Text(s.node.Value("on_branch_failure")).Value, "IGNORE") {
		do.Failed = ir.FailureIgnored
	}
	if n := s.node.Value("merge_strategy"); n != nil {
		do.Merge = cmp.Or(merges[strings.ToUpper(frontend.Text(n).Value)], ir.MergeOverwrite) // an unknown strategy has been reported
	}
	s.task.Do = do
	s.lowerFieldMapping(do, s.node.Value("field_mapping"))
	s.task.Type = s.typeOfParallel(do)
}

var merges = map[string]ir.Merge{
	"NO_MERGE": ir.MergeNone, "OVERWRITE": ir.MergeOverwrite, "CONTEXT_UPDATE": ir.MergeOverwrite,
	"ERROR_ON_CONFLICT": ir.MergeConflict, "KEEP_FIRST": ir.MergeKeepFirst,
}

var reductions = map[string]ir.Reduce{
	"keys": ir.ReduceKeys, "values": ir.ReduceValues, "union": ir.ReduceUnion, "concat": ir.ReduceConcat,
	"first": ir.ReduceFirst, "last": ir.ReduceLast, "majority_vote": ir.ReduceMajority,
}

// lowerFieldMapping lowers the fields that each branch writes back.
func (s *step) lowerFieldMapping(do *ir.Parallel, n *yamldoc.Node) {
	names := ir.Map(do.Branches, func(arm *ir.Arm) string { return arm.Name.Value })
	for _, f := range n.Members() {
		branch := frontend.Key(f)
		i := slices.Index(names, branch.Value)
		if i < 0 {
			s.report(diag.New(diag.BadValue, branch.Span, "step %q has no branch %q", s.task.Name.Value, branch.Value).
				Suggest(branch.Value, names))
			continue
		}
		do.Branches[i].Only, do.Branches[i].Fields = true, s.resolvePaths(frontend.Texts(f.Value))
	}
}

// typeOfParallel returns the type of the combined result of the branches.
func (s *step) typeOfParallel(do *ir.Parallel) ir.Type {
	types := ir.Map(do.Branches, func(arm *ir.Arm) ir.Type { return resultType(arm.Body, s.data) })
	switch do.Reduce {
	case ir.ReduceObject:
		t := objectType()
		for i, arm := range do.Branches {
			p := newProperty(arm.Name, types[i])
			p.Required = do.Failed != ir.FailureIgnored
			t.Schema.Properties = append(t.Schema.Properties, p)
		}
		return t
	case ir.ReduceKeys:
		return listTypeOf(textType)
	case ir.ReduceValues:
		return listTypeOf(commonType(types...))
	case ir.ReduceConcat:
		return listType
	case ir.ReduceFirst, ir.ReduceLast, ir.ReduceMajority:
		return commonType(types...)
	}

	return unknown
}
