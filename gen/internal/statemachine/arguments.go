package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

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
		case argument(args, f.Key.Text) != nil:
			s.argumentUnused(f)
		case p.Data && input != nil && !named:
			s.argumentUnused(f)
		default:
			args = append(args, f)
		}
	}

	return s.checked(ref, b, args)
}

func (s *step) argumentUnused(f *yamldoc.Field) {
	s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q is not used: the input has it", f.Key.Text))
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
			s.unknownArgument(ref, b, f)
		case p.Unused:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q of %q is not used", p.Name, ref.Value))
		case fits(p, f.Value):
			good = append(good, f)
		default:
			s.report(misfit(p, f))
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

func (s *step) unknownArgument(ref reference, b builtin.Step, f *yamldoc.Field) {
	names := ir.Map(b.Params, func(p builtin.Param) string { return p.Name })
	d := diag.New(diag.UnknownField, f.Key.Span, "%q has no argument %q", ref.Value, f.Key.Text)
	s.report(d.Suggest(f.Key.Text, names).Note(source.Span{}, "its arguments are %s", listed(names)))
}

// fits reports whether a value in the source can be the argument.
func fits(p builtin.Param, n *yamldoc.Node) bool {
	if n.Kind == yamldoc.String && hasPlaceholder(n.Text) {
		return true
	}
	if len(p.Words) > 0 && !slices.Contains(p.Words, n.Text) {
		return false
	}
	if p.Takes != builtin.Text {
		return p.CanBe(typeInside(n))
	}
	text, scalar := n.Scalar()

	return scalar && (text != "" || !p.Required)
}

func misfit(p builtin.Param, f *yamldoc.Field) *diag.Diagnostic {
	text, scalar := f.Value.Scalar()
	switch {
	case len(p.Words) > 0 && scalar:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q cannot be %q", p.Name, text).Suggest(text, p.Words).
			Note(source.Span{}, "it can be %s", listed(p.Words))
	case scalar && p.Takes == builtin.Text:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q is empty", p.Name)
	}
	want := strings.Replace(p.Takes.String(), "an object", "a mapping", 1)

	return diag.New(diag.WrongType, f.Key.Span, "argument %q must be %s, found %s", p.Name, want, f.Value.Kind)
}

// lowerArgument lowers the value of an argument. One that has to be a text is always a text.
func (s *step) lowerArgument(b builtin.Step, f *yamldoc.Field, scope *expr.Scope) *ir.Datum {
	p, _ := b.Param(f.Key.Text)
	if _, scalar := f.Value.Scalar(); !scalar || p.Takes != builtin.Text {
		return s.datumInside(f.Value, scope)
	}
	t := s.template(frontend.Text(f.Value), scope)
	if t == nil {
		return nil
	}

	return &ir.Datum{Span: f.Value.Span, Kind: ir.DatumText, Text: t}
}

// listed writes names as a sentence does.
func listed(names []string) string { return strings.Join(names, ", ") }
