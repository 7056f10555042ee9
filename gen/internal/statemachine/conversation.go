package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// lowerConversation lets the steps of a loop's body that ask agents of the workflow continue their
// conversations from turn to turn. Those in a loop inside that also does so continue from turn to
// turn of it. Items in branches of their own cannot continue each other's.
func (s *step) lowerConversation(do *ir.Loop, loop *yamldoc.Node) {
	f := loop.Field("conversation")
	if f == nil || !frontend.Bool(f.Value) {
		return
	}
	s.collectHistories(do, do.Body)
	if len(do.Histories) == 0 {
		s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: no step of the body asks an agent of this file", f.Key.Text).
			WithHint("leave it out, or ask one with uses: agents.NAME"))
	}
}

// collectHistories gives each conversation in a body a history of the loop.
func (s *step) collectHistories(do *ir.Loop, body *ir.Pipeline) {
	for _, t := range body.Steps() {
		for ; t != nil; t = t.Fallback {
			s.addHistory(do, t)
			inner, isLoop := t.Do.(*ir.Loop)
			if isLoop && inner.RunsApart() {
				continue
			}
			for _, inside := range t.Pipelines() {
				s.collectHistories(do, inside)
			}
		}
	}
}

// addHistory gives the conversation of a step a history, unless it has one. Steps with the same name
// share it.
func (s *step) addHistory(do *ir.Loop, t *ir.Task) {
	run, isRun := t.Do.(*ir.Run)
	if !isRun || run.Step == nil || run.History != nil {
		return
	}
	name := "history of " + t.Name.Value
	run.History = ir.First(do.Histories, func(o *ir.Output) bool { return o.Name.Value == name })
	if run.History != nil {
		return
	}
	run.History = ir.First(s.workflow.Outputs, func(o *ir.Output) bool {
		return o.Type.Owner == ir.OwnerHistory && o.Name.Value == name
	})
	if run.History == nil {
		run.History = &ir.Output{Name: ir.Text{Value: name, Span: t.Name.Span}, Type: ir.Type{Owner: ir.OwnerHistory}}
		s.workflow.Outputs = append(s.workflow.Outputs, run.History)
	}
	do.Histories = append(do.Histories, run.History)
}
