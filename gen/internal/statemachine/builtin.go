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

// excluded are builtins of the original that this language leaves out, with what to use instead.
var excluded = map[string]string{
	"extract_from_text":      "declare an agent with an output_schema",
	"web_search":             "write a function, or use an AGENT.md agent with a tool: uses: agent:NAME",
	"code_interpreter":       "write a function: uses: pkg.mod:func",
	"run_pipeline_in_memory": "import the workflow: uses: imports.NAME",
	"render_jinja_template":  "write the text as the input of a step, with {{ placeholders }}",
}

// undefinedBuiltin is the diagnostic for a name below that of the builtins that is none.
func undefinedBuiltin(ref reference, name string) *diag.Diagnostic {
	if instead := excluded[name]; instead != "" {
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

	return d.Note(source.Span{}, "the builtins are %s", listed(builtin.StepNames()))
}

// useBuiltin lowers a step that uses a builtin.
func (s *step) useBuiltin(ref reference, b builtin.Step) {
	args := s.arguments(ref, b)
	s.task.Type = b.Gives
	switch b.Lowers {
	case builtin.LowersToPassOn:
		if x := argument(args, b.Data().Name); x != nil {
			s.data = typeInside(x)
			s.later = append(s.later, func() { s.task.Input = s.datumInside(x, s.scope(s.at)) })
		}
		s.passOn()
	case builtin.LowersToAsk:
		do := &ir.Ask{}
		s.task.Do = do
		s.answers = append(s.answers, textType)
		if question := argument(args, b.Data().Name); question != nil {
			s.later = append(s.later, func() { do.Message = s.template(frontend.Text(question), s.scope(s.at)) })
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
		s.contextPath(do, frontend.Text(argument(args, b.Place().Name)))
		do.Value = s.data.Schema
		if value := argument(args, do.Data); value != nil {
			do.Value = typeInside(value).Schema
		}
	}
	s.later = append(s.later, func() {
		for _, f := range args {
			lower := s.datumInside
			if p, _ := b.Param(f.Key.Text); p.Takes == builtin.Text && f.Value.Kind != yamldoc.Seq && f.Value.Kind != yamldoc.Map {
				lower = s.textDatum // one that has to be a text is always a text
			}
			if value := lower(f.Value, s.scope(s.at)); value != nil {
				do.Args = append(do.Args, ir.DatumField{Name: frontend.Key(f), Value: value})
			}
		}
	})
}

func argument(args []*yamldoc.Field, name string) *yamldoc.Node {
	return (&yamldoc.Node{Fields: args}).Value(name)
}

// arguments returns the named arguments of a builtin, those of the input first, which win over those of params. An
// input that is not a mapping of arguments is what the step is given.
func (s *step) arguments(ref reference, b builtin.Step) []*yamldoc.Field {
	var args []*yamldoc.Field
	input := s.node.Get("input")
	named := input != nil && s.namesArguments(input.Value, b)
	switch p := b.Data(); {
	case named:
		args = append(args, input.Value.Fields...)
	case p.IsTyped():
		s.typedInput(p, ref)
	default:
		s.input()
	}
	for _, f := range ref.named() {
		switch p, _ := b.Param(f.Key.Text); {
		case argument(args, f.Key.Text) != nil, p.Data && input != nil && !named:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q is not used: the input already contains it", f.Key.Text))
		default:
			args = append(args, f)
		}
	}

	return s.checked(ref, b, args)
}

// namesArguments reports whether a mapping has nothing but arguments of the builtin, or what can only be meant for
// them.
func (s *step) namesArguments(n *yamldoc.Node, b builtin.Step) bool {
	if n.Kind != yamldoc.Map || len(n.Fields) == 0 {
		return false
	}

	return !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
		_, known := b.Param(f.Key.Text)
		return !known
	})
}

// checked returns those of the arguments that the builtin has. The others, those that are of the wrong kind, and those
// that are missing are reported.
func (s *step) checked(ref reference, b builtin.Step, args []*yamldoc.Field) []*yamldoc.Field {
	var good []*yamldoc.Field
	unknown := false
	for _, f := range args {
		p, known := b.Param(f.Key.Text)
		switch {
		case !known:
			unknown = true
			names := ir.Map(b.Params, func(p builtin.Param) string { return p.Name })
			s.report(diag.New(diag.UnknownField, f.Key.Span, "%q has no argument %q", ref.Value, f.Key.Text).
				Suggest(f.Key.Text, names).Note(source.Span{}, "its arguments are %s", listed(names)))
		case p.Unused:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q of %q is not used", p.Name, ref.Value).Warn())
		default:
			if d := misfit(p, f); d != nil {
				s.report(d)
			} else {
				good = append(good, f)
			}
		}
	}
	for _, p := range b.Params {
		if p.Required && argument(args, p.Name) == nil && !unknown {
			s.report(diag.New(diag.MissingField, ref.Span, "argument %q of %q is missing", p.Name, ref.Value).
				WithHint("write it below params, or into an input that is a mapping"))
		}
	}

	return good
}

// misfit says why a value in the source cannot be the argument; nil if it can.
func misfit(p builtin.Param, f *yamldoc.Field) *diag.Diagnostic {
	text, scalar := f.Value.Scalar()
	switch {
	case f.Value.Kind == yamldoc.String && hasPlaceholder(text):
		return nil
	case len(p.Words) > 0 && scalar && !slices.Contains(p.Words, text):
		return diag.New(diag.BadValue, f.Value.Span, "argument %q cannot be %q", p.Name, text).Suggest(text, p.Words).
			Note(source.Span{}, "it can be %s", listed(p.Words))
	case p.Takes == builtin.Text && scalar && (text != "" || !p.Required), p.Takes != builtin.Text && p.CanBe(typeInside(f.Value)):
		return nil
	case scalar && p.Takes == builtin.Text:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q is empty", p.Name)
	}
	want := strings.Replace(p.Takes.String(), "an object", "a mapping", 1)

	return diag.New(diag.WrongType, f.Key.Span, "argument %q must be %s, found %s", p.Name, want, f.Value.Kind)
}

// listed writes names as a sentence does.
func listed(names []string) string { return strings.Join(names, ", ") }

// typedInput takes what a step is given as the argument of a builtin to which a text is of no use: one that is a single
// placeholder keeps the type of its value, as it does inside of a mapping.
func (s *step) typedInput(p builtin.Param, ref reference) {
	f := s.node.Get("input")
	if f == nil {
		if argument(ref.named(), p.Name) == nil {
			s.checkData(p, ref, ref.Span, s.data, "write what it takes as input")
		}
		return
	}
	s.data = typeInside(f.Value)
	s.later = append(s.later, func() {
		s.task.Input = s.datumInside(f.Value, s.scope(s.at))
		switch d := s.task.Input; {
		case d == nil:
		case d.Kind == ir.DatumText:
			s.checkData(p, ref, f.Value.Span, textType, "a text has another type only if it is a single placeholder: \"{{ context.rows }}\"")
		case d.Kind == ir.DatumValue:
			s.checkData(p, ref, f.Value.Span, d.Value.Is(), "")
		default:
			s.checkData(p, ref, f.Value.Span, s.data, "")
		}
	})
}

// checkData reports what a builtin is given that it cannot take.
func (s *step) checkData(p builtin.Param, ref reference, at source.Span, t ir.Type, hint string) {
	if !p.CanBe(t) {
		s.report(diag.New(diag.WrongType, at, "%q takes %s, but gets %s", ref.Value, p.Takes, builtin.KindsOf(t.Schema).There()).
			WithHint("%s", hint))
	}
}
