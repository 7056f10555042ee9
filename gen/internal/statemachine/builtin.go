package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// unsupportedBuiltins are builtins of the original without a counterpart, with their replacements.
var unsupportedBuiltins = map[string]string{
	"extract_from_text":      "declare an agent with an output_schema",
	"web_search":             "write a function, or use an AGENT.md agent with a tool: uses: agent:NAME",
	"code_interpreter":       "write a function: uses: pkg.mod:func",
	"run_pipeline_in_memory": "import the workflow: uses: imports.NAME",
	"render_jinja_template":  "write the text as the input of a step, with {{ placeholders }}",
}

// undefinedBuiltinDiagnostic describes an unknown name below the prefix of the builtins.
func undefinedBuiltinDiagnostic(ref reference, name string) *diag.Diagnostic {
	if instead := unsupportedBuiltins[name]; instead != "" {
		return diag.New(diag.UnsupportedStep, ref.Span, "builtin %q is not supported", name).WithHint("%s", instead)
	}
	word := name[strings.LastIndexAny(name, ".:")+1:]
	near, isNear := word, slices.Contains(builtin.StepNames(), word)
	if !isNear {
		near, isNear = diag.Nearest(word, builtin.StepNames())
	}
	d := diag.New(diag.UndefinedTool, ref.Span, "builtin %q does not exist", name).Suggest(ref.Value, []string{builtinsPrefix + near})
	if !isNear { // the original has many more
		d = diag.New(diag.UnsupportedStep, ref.Span, "builtin %q is not supported", name).WithHint("write a function: uses: pkg.mod:func")
	}

	return d.Note(source.Span{}, "the builtins are %s", joinNames(builtin.StepNames()))
}

// useBuiltin lowers a step that uses a builtin.
func (s *step) useBuiltin(ref reference, b builtin.Step) {
	args := s.collectArguments(ref, b)
	s.task.Type = b.Gives
	switch b.Lowers {
	case builtin.LowersToPassOn:
		if x := argumentNamed(args, b.Data().Name); x != nil {
			s.data = typeOfNested(x)
			s.later = append(s.later, func() { s.task.Input = s.lowerNestedDatum(x, s.scopeAt(s.at)) })
		}
		s.lowerPassOn()
	case builtin.LowersToAsk:
		do := &ir.Ask{}
		s.task.Do = do
		s.answers = append(s.answers, textType)
		if question := argumentNamed(args, b.Data().Name); question != nil {
			s.later = append(s.later, func() { do.Message = s.parseTemplate(frontend.Text(question), s.scopeAt(s.at)) })
		}
	default:
		s.callBuiltin(ref, b, args)
	}
}

// callBuiltin lowers a builtin that is called.
func (s *step) callBuiltin(ref reference, b builtin.Step, args []*yamldoc.Field) {
	do := &ir.UseBuiltin{Builtin: b.Name, At: ref.Span, Data: b.Data().Name, Context: b.Context}
	s.task.Do = do
	if do.Context != ir.ContextUnused {
		s.lowerContextPath(do, frontend.Text(argumentNamed(args, b.Place().Name)))
		do.Value = s.data.Schema
		if value := argumentNamed(args, do.Data); value != nil {
			do.Value = typeOfNested(value).Schema
		}
	}
	s.later = append(s.later, func() {
		for _, f := range args {
			lower := s.lowerNestedDatum
			if p, _ := b.Param(f.Key.Text); p.Takes == builtin.Text && f.Value.Kind != yamldoc.Seq && f.Value.Kind != yamldoc.Map {
				lower = s.lowerTextDatum // a text argument is never a number
			}
			if value := lower(f.Value, s.scopeAt(s.at)); value != nil {
				do.Args = append(do.Args, ir.DatumField{Name: frontend.Key(f), Value: value})
			}
		}
	})
}

func argumentNamed(args []*yamldoc.Field, name string) *yamldoc.Node {
	return (&yamldoc.Node{Fields: args}).Value(name)
}

// collectArguments returns the named arguments of a builtin: those of the input, which take
// precedence, then those of params. An input that is not a mapping of arguments is the data of the
// builtin.
func (s *step) collectArguments(ref reference, b builtin.Step) []*yamldoc.Field {
	var args []*yamldoc.Field
	input := s.node.Field("input")
	named := input != nil && s.isArgumentMapping(input.Value, b)
	switch p := b.Data(); {
	case named:
		args = append(args, input.Value.Fields...)
	case p.IsTyped():
		s.lowerTypedInput(p, ref)
	default:
		s.lowerInput()
	}
	for _, f := range ref.namedArguments() {
		switch p, _ := b.Param(f.Key.Text); {
		case argumentNamed(args, f.Key.Text) != nil, p.Data && input != nil && !named:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q is not used: the input already contains it", f.Key.Text))
		default:
			args = append(args, f)
		}
	}

	return s.checkArguments(ref, b, args)
}

// isArgumentMapping reports whether all keys of a mapping are arguments of the builtin.
func (s *step) isArgumentMapping(n *yamldoc.Node, b builtin.Step) bool {
	if n.Kind != yamldoc.Map || len(n.Fields) == 0 {
		return false
	}

	return !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
		_, known := b.Param(f.Key.Text)
		return !known
	})
}

// checkArguments returns the valid arguments of a builtin. It reports unknown arguments, arguments
// of the wrong type and missing ones.
func (s *step) checkArguments(ref reference, b builtin.Step, args []*yamldoc.Field) []*yamldoc.Field {
	var good []*yamldoc.Field
	unknown := false
	for _, f := range args {
		p, known := b.Param(f.Key.Text)
		switch {
		case !known:
			unknown = true
			names := ir.Map(b.Params, func(p builtin.Param) string { return p.Name })
			s.report(diag.New(diag.UnknownField, f.Key.Span, "%q has no argument %q", ref.Value, f.Key.Text).
				Suggest(f.Key.Text, names).Note(source.Span{}, "its arguments are %s", joinNames(names)))
		case p.Unused:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q of %q is not used", p.Name, ref.Value).Warn())
		default:
			if d := misfitDiagnostic(p, f); d != nil {
				s.report(d)
			} else {
				good = append(good, f)
			}
		}
	}
	for _, p := range b.Params {
		if p.Required && argumentNamed(args, p.Name) == nil && !unknown {
			s.report(diag.New(diag.MissingField, ref.Span, "argument %q of %q is missing", p.Name, ref.Value).
				WithHint("write it below params, or into an input that is a mapping"))
		}
	}

	return good
}

// misfitDiagnostic describes why a value of the source cannot be the argument, or returns nil.
func misfitDiagnostic(p builtin.Param, f *yamldoc.Field) *diag.Diagnostic {
	text, scalar := f.Value.Scalar()
	switch {
	case f.Value.Kind == yamldoc.String && hasPlaceholder(text):
		return nil
	case len(p.Words) > 0 && scalar && !slices.Contains(p.Words, text):
		return diag.New(diag.BadValue, f.Value.Span, "argument %q cannot be %q", p.Name, text).Suggest(text, p.Words).
			Note(source.Span{}, "it can be %s", joinNames(p.Words))
	case isArgument(p, f.Value):
		return nil
	case scalar && p.Takes == builtin.Text:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q is empty", p.Name)
	}
	want := strings.Replace(p.Takes.String(), "an object", "a mapping", 1)

	return diag.New(diag.WrongType, f.Key.Span, "argument %q must be %s, found %s", p.Name, want, f.Value.Kind)
}

// isArgument reports whether a value of the source can be the argument.
func isArgument(p builtin.Param, value *yamldoc.Node) bool {
	if p.Takes != builtin.Text {
		return p.CanBe(typeOfNested(value))
	}
	text, isScalar := value.Scalar()

	return isScalar && (text != "" || !p.Required)
}

// joinNames writes names as a list in a sentence.
func joinNames(names []string) string { return strings.Join(names, ", ") }

// lowerTypedInput lowers the input of a builtin that cannot use a text. A single placeholder keeps
// the type of its value, as it does in a mapping.
func (s *step) lowerTypedInput(p builtin.Param, ref reference) {
	f := s.node.Field("input")
	if f == nil {
		if argumentNamed(ref.namedArguments(), p.Name) == nil {
			s.checkData(p, ref, ref.Span, s.data, "write what it takes as input")
		}
		return
	}
	s.data = typeOfNested(f.Value)
	s.later = append(s.later, func() {
		s.task.Input = s.lowerNestedDatum(f.Value, s.scopeAt(s.at))
		switch d := s.task.Input; {
		case d == nil:
		case d.Kind == ir.DatumText:
			s.checkData(p, ref, f.Value.Span, textType, "a text has another type only if it is a single placeholder: \"{{ context.rows }}\"")
		case d.Kind == ir.DatumValue:
			s.checkData(p, ref, f.Value.Span, d.Value.ValueType(), "")
		default:
			s.checkData(p, ref, f.Value.Span, s.data, "")
		}
	})
}

// checkData reports data that a builtin cannot use.
func (s *step) checkData(p builtin.Param, ref reference, at source.Span, t ir.Type, hint string) {
	if !p.CanBe(t) {
		s.report(diag.New(diag.WrongType, at, "%q takes %s, but gets %s", ref.Value, p.Takes, builtin.KindsOf(t.Schema).There()).
			WithHint("%s", hint))
	}
}
