package statemachine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The fields of a step whose time is limited.
const (
	timeoutField   = "timeout"
	onTimeoutField = "on_timeout"
)

// lowerAnswerTimeout lowers how long a question waits, and its answer after that.
func (s *step) lowerAnswerTimeout(do *ir.Ask) {
	if timeout := s.node.Field(timeoutField); timeout != nil {
		do.Timeout = s.set.project.ReadDuration(timeout.Value)
	}
	answer := s.timeoutValue()
	if answer == nil {
		return
	}
	do.OnTimeout = ir.Text{Value: answer.CompactJSON(), Span: answer.Span}
	s.checkTimeoutValue(answer, s.task.Type)
}

// lowerStepTimeout lowers the time limit of a step other than a question, and its output after that.
func (s *step) lowerStepTimeout() {
	if s.kind() == kindQuestion || s.task.Do == nil {
		return
	}
	if s.takesNoTime() {
		s.reportUnusedTimeout()
		return
	}
	if timeout := s.node.Field(timeoutField); timeout != nil {
		s.task.Within, s.task.WithinAt = s.set.project.ReadDuration(timeout.Value), timeout.Key.Span
	}
	output := s.timeoutValue()
	if output == nil || s.task.Within == 0 {
		return
	}
	late := &ir.Task{Span: output.Span, Do: &ir.PassOn{}, Output: &ir.Output{}, Type: s.task.Type, ForTimeout: true}
	late.Fallback, s.task.Fallback = s.task.Fallback, late
	s.later = append(s.later, func() { late.Input = s.lowerDatum(output, s.scopeAt(s.at)) })
	s.checkTimeoutValue(output, s.task.Type)
}

// takesNoTime reports whether the step is done at once, or takes the time that it names.
func (s *step) takesNoTime() bool {
	switch do := s.task.Do.(type) {
	case *ir.PassOn:
		return true
	case *ir.UseBuiltin:
		called, _ := builtin.StepByName(do.Builtin)
		return called.Tool == ""
	}

	return false
}

// reportUnusedTimeout reports the time limit of a step that takes no time, or its own.
func (s *step) reportUnusedTimeout() {
	why, hint := "is done at once", "write it at the steps that call a model or a function, or around them"
	if do, passes := s.task.Do.(*ir.PassOn); passes && do.Waits() {
		why, hint = "waits as long as wait says", "change wait, or write the timeout at a step around this one"
	}
	for _, name := range []string{timeoutField, onTimeoutField} {
		if f := s.node.Field(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: step %q %s", name, s.task.Name.Value, why).WithHint("%s", hint))
		}
	}
}

// timeoutValue returns the output of the step after its timeout; nil without one. It reports one
// that cannot be used.
func (s *step) timeoutValue() *yamldoc.Node {
	value := s.node.Field(onTimeoutField)
	switch {
	case value == nil:
		return nil
	case s.node.Field(timeoutField) == nil:
		s.report(diag.New(diag.UnusedField, value.Key.Span, "field %q is not used: %s has no timeout", value.Key.Text, s.describe()).
			WithHint("add a timeout such as 48h"))
		return nil
	case strings.Contains(value.Value.CompactJSON(), "{{"):
		s.report(diag.New(diag.BadValue, value.Value.Span, "on_timeout has a placeholder: it is the value itself").
			WithHint("leave it out, and handle the failure by a row with on: timeout, or by a fallback"))
		return nil
	}

	return value.Value
}

// checkTimeoutValue reports a value that the output of the step cannot have. Where the output has
// one of several schemas, the value has to fit one of them.
func (s *step) checkTimeoutValue(value *yamldoc.Node, output ir.Type) {
	schemas := output.EachAlternative()
	if output.Schema != nil {
		schemas = []*ir.Schema{output.Schema}
	}
	text, why := value.CompactJSON(), ""
	fits := func(schema *ir.Schema) bool {
		misfit := sample.DescribeMisfit(schema, text)
		why = cmp.Or(why, misfit)
		return misfit == ""
	}
	if len(schemas) == 0 || slices.ContainsFunc(schemas, fits) {
		return
	}
	d := diag.New(diag.BadValue, value.Span, "on_timeout is no %s %s: %s", s.wordForOutput(), s.describe(), why)
	if output.Owner != ir.OwnerNone && output.Schema != nil {
		d.Note(output.Schema.Span, "its schema is declared here")
	}
	s.report(d)
}

// describe names the step in a message.
func (s *step) describe() string {
	if s.kind() == kindQuestion {
		return "question \"" + s.task.Name.Value + "\""
	}

	return "step \"" + s.task.Name.Value + "\""
}

// wordForOutput is what a message calls the output of the step, before [step.describe].
func (s *step) wordForOutput() string {
	if s.kind() == kindQuestion {
		return "answer to"
	}

	return "output of"
}
