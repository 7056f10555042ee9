package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// step reads the step file called name and makes it the flow's next conversation. It is a react loop if it says so or has
// skills; what its prompt sounds like does not count.
func (b *flowBuilder) step(name string) *ir.Step {
	s, head := b.readStep(name, validate.Step)
	skills := len(tree.Texts(head.Value("call").Value("uses"))) > 0
	if s.PatternAt.Value != "react" && !skills {
		s.Node = b.loader.oneshotOf(head)
		s.Call = b.stepCall(head, oneshotRole)
		return s
	}
	if skills {
		b.patternUnused(s, "a step with skills is a react loop")
	}
	s.Node = b.stepLoop(head)
	s.Call = b.stepCall(head, reactRole)

	return s
}

// resume reads the second half of a human. It is a react loop whatever its prompt needs, because its key is the agent's,
// and has of AGENT.md, which describes the first half, what it does not say itself.
func (b *flowBuilder) resume(first *ir.React) *ir.Step {
	s, head := b.readStep("resume", validate.Resume)
	b.patternUnused(s, "the step that continues with a person's answer is a react loop")
	call, loop := head.Value("call"), b.stepLoop(head)
	if head.Get("max_iter") == nil && call.Get("max_iter") == nil {
		loop.MaxIter = first.MaxIter
	}
	if head.Get("repair") == nil {
		loop.Repair = first.Repair
	}
	if head.Get("keys") == nil {
		loop.Keys = b.loader.keys(b.field("keys"))
	}
	if call.Value("uses").IsNull() {
		loop.Uses = first.Uses
	}
	s.Node = loop
	s.Call = b.stepCall(head, bodyRole)

	return s
}

// stepLoop lowers a step file that is a react loop. It may bound its turns at two places.
func (b *flowBuilder) stepLoop(head *yamldoc.Node) *ir.React {
	loop := b.loader.reactOf(head)
	older := head.Value("call").Get("max_iter")
	switch {
	case older == nil:
	case head.Get("max_iter") == nil:
		loop.MaxIter = b.loader.Limit(older.Value, defaultMaxIter)
	default:
		b.loader.List.Add(diag.New(diag.UnusedField, older.Key.Span, "field %q of call is not used beside max_iter", "max_iter"))
	}

	return loop
}

// readStep reads a step file as far as all kinds of steps are alike, and adds it to the flow. The head is nil if the file
// has none. Without the file, which is reported, the step has neither head nor prompt.
func (b *flowBuilder) readStep(name string, kind validate.Kind) (*ir.Step, *yamldoc.Node) {
	s := &ir.Step{Name: ir.Text{Value: name}, File: b.document.agent.File}
	b.flow.Steps = append(b.flow.Steps, s)
	if there, err := b.isStep(name); !there {
		b.fail(err)
		return s, nil
	}

	f, doc, err := b.loader.readMarkdown(b.document.path(name+".md"), kind)
	if err != nil {
		b.fail(err)
		return s, nil
	}
	s.File = f
	s.Name.Span = source.Span{File: f}
	s.PatternAt = tree.Text(doc.Head.Value("pattern"))
	b.loader.ask(doc.Head)
	s.Prompt = ir.Text{Value: doc.Body, Span: doc.BodySpan}
	faulty := b.loader.IsFaulty(f)
	b.flow.Partial = b.flow.Partial || faulty
	if read := doc.Head != nil || !faulty; read && blank(s.Prompt) {
		b.report(diag.New(diag.BadValue, frontend.WholeFile(f), "step file %q has no prompt", f.Path).
			WithHint("write below the frontmatter what the model has to do"))
	}

	return s, doc.Head
}

// stepCall reads which model a step calls, at either of the places where a step file may say it. AGENT.md completes it.
func (b *flowBuilder) stepCall(head *yamldoc.Node, role string) ir.Call {
	model, older := head.Value("call").Value("model"), head.Get("model")
	switch {
	case older == nil:
	case model.IsNull():
		model = older.Value
	default:
		b.loader.List.Add(diag.New(diag.UnusedField, older.Key.Span, "field %q is not used beside call.model", "model"))
	}

	return withRole(completed(b.loader.written(model), b.written), role)
}

// patternUnused warns of a step that says it is a oneshot and is none.
func (b *flowBuilder) patternUnused(s *ir.Step, why string) {
	if s.PatternAt.Value == "oneshot" {
		b.loader.List.Add(diag.New(diag.UnusedField, s.PatternAt.Span, "pattern %q is not used: %s", "oneshot", why))
	}
}
