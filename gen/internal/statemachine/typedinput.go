package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

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
			s.checkData(p, ref, f.Value.Span, textType, "a text is something else only if it is one placeholder: \"{{ context.rows }}\"")
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
		s.report(diag.New(diag.WrongType, at, "%q takes %s, and is given %s", ref.Value, p.Takes, builtin.KindsOf(t.Schema).There()).
			WithHint("%s", hint))
	}
}
