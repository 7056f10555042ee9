package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// arguments returns the named arguments of a builtin, those of the input first, which win over those of params. An
// input that is no mapping of arguments is what the step is given.
func (s *step) arguments(ref reference, b builtin) []*yamldoc.Field {
	var args []*yamldoc.Field
	input := s.node.Get("input")
	named := input != nil && s.namesArguments(input.Value, b)
	switch p := b.data(); {
	case named:
		args = append(args, input.Value.Fields...)
	case p != nil && p.takes != nil:
		s.typedInput(p, ref)
	default:
		s.input()
	}
	if ref.params != nil && ref.params.Value.Kind == yamldoc.Map {
		for _, f := range ref.params.Value.Fields {
			switch p := b.param(f.Key.Text); {
			case argument(args, f.Key.Text) != nil:
				s.argumentUnused(f)
			case p != nil && p.data && input != nil && !named:
				s.argumentUnused(f)
			default:
				args = append(args, f)
			}
		}
	}

	return s.checked(ref, b, args)
}

func (s *step) argumentUnused(f *yamldoc.Field) {
	s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q is not used: the input has it", f.Key.Text))
}

// namesArguments reports whether a mapping has nothing but arguments of the builtin, or what can only be meant for
// them.
func (s *step) namesArguments(n *yamldoc.Node, b builtin) bool {
	if n.Kind != yamldoc.Map || len(n.Fields) == 0 {
		return false
	}

	return !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool { return b.param(f.Key.Text) == nil })
}

// data returns the argument that is what the step is given; nil if there is none.
func (b builtin) data() *param {
	i := slices.IndexFunc(b.params, func(p param) bool { return p.data })
	if i < 0 {
		return nil
	}

	return &b.params[i]
}

// param returns the argument called name; nil if there is none.
func (b builtin) param(name string) *param {
	i := slices.IndexFunc(b.params, func(p param) bool { return p.name == name })
	if i < 0 {
		return nil
	}

	return &b.params[i]
}

// checked returns those of the arguments that the builtin has. The others, those that are of the wrong kind, and those
// that are missing are reported.
func (s *step) checked(ref reference, b builtin, args []*yamldoc.Field) []*yamldoc.Field {
	var good []*yamldoc.Field
	unknown := false
	for _, f := range args {
		p := b.param(f.Key.Text)
		switch {
		case p == nil:
			unknown = true
			s.unknownArgument(ref, b, f)
		case p.unused:
			s.report(diag.New(diag.UnusedField, f.Key.Span, "argument %q of %q is not used", p.name, ref.Value))
		case p.fits(f.Value):
			good = append(good, f)
		default:
			s.report(p.misfit(f))
		}
	}
	for _, p := range b.params {
		if p.required && argument(args, p.name) == nil && !unknown {
			s.report(diag.New(diag.MissingField, ref.Span, "argument %q of %q is missing", p.name, ref.Value).
				WithHint("write it below params, or into an input that is a mapping"))
		}
	}

	return good
}

func (s *step) unknownArgument(ref reference, b builtin, f *yamldoc.Field) {
	names := make([]string, len(b.params))
	for i, p := range b.params {
		names[i] = p.name
	}
	d := diag.New(diag.UnknownField, f.Key.Span, "%q has no argument %q", ref.Value, f.Key.Text)
	s.report(d.Suggest(f.Key.Text, names).Note(source.Span{}, "its arguments are %s", listed(names)))
}

// fits reports whether a value that stands in the source can be the argument.
func (p *param) fits(n *yamldoc.Node) bool {
	if n.Kind == yamldoc.String && hasPlaceholder(n.Text) {
		return true
	}
	if len(p.words) > 0 && !slices.Contains(p.words, n.Text) {
		return false
	}
	switch p.kind {
	case 0:
		return p.holds(typeInside(n))
	case yamldoc.String:
		text, scalar := n.Scalar()
		return scalar && (text != "" || !p.required)
	}

	return n.Kind == p.kind || !p.required && n.Kind == yamldoc.Null
}

func (p *param) misfit(f *yamldoc.Field) *diag.Diagnostic {
	text, scalar := f.Value.Scalar()
	switch {
	case len(p.words) > 0 && scalar:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q cannot be %q", p.name, text).Suggest(text, p.words).
			Note(source.Span{}, "it can be %s", listed(p.words))
	case scalar && p.kind == yamldoc.String:
		return diag.New(diag.BadValue, f.Value.Span, "argument %q is empty", p.name)
	}

	want := p.kind.String()
	if p.kind == 0 {
		want = p.wants()
	}

	return diag.New(diag.WrongType, f.Key.Span, "argument %q must be %s, found %s", p.name, want, f.Value.Kind)
}

// lowerArgument lowers the value of an argument. One that has to be a text is always a text.
func (s *step) lowerArgument(b builtin, f *yamldoc.Field, scope *expr.Scope) *ir.Datum {
	if _, scalar := f.Value.Scalar(); !scalar || b.param(f.Key.Text).kind != yamldoc.String {
		return s.datumInside(f.Value, scope)
	}
	t := s.template(tree.Text(f.Value), scope)
	if t == nil {
		return nil
	}

	return &ir.Datum{Span: f.Value.Span, Kind: ir.DatumText, Text: t}
}

// listed writes names as a sentence does.
func listed(names []string) string { return strings.Join(names, ", ") }
