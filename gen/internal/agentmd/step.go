package agentmd

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// addStep reads a step file and adds it as the flow's next conversation. It is a react loop if its
// pattern is react or it has skills. The prompt does not matter.
func (b *flowBuilder) addStep(name string) *ir.Step {
	s, head := b.readStep(name, validate.Step)
	skills := len(frontend.Texts(head.Value("call").Value("uses"))) > 0
	if s.PatternAt.Value != "react" && !skills {
		s.Node = b.loader.lowerOneshot(head)
		s.Call = b.lowerStepCall(head, ir.OneshotRole)
		return s
	}
	if skills {
		b.reportUnusedPattern(s, "a step with skills is a react loop")
	}
	s.Node = b.lowerStepLoop(head)
	s.Call = b.lowerStepCall(head, ir.ReactRole)

	return s
}

// addResumeStep reads the second half of a human. It is always a react loop, because its key is the
// agent's. It inherits from AGENT.md, which describes the first half.
func (b *flowBuilder) addResumeStep(first *ir.React) *ir.Step {
	s, head := b.readStep("resume", validate.Resume)
	b.reportUnusedPattern(s, "the step that continues with a person's answer is a react loop")
	call, loop := head.Value("call"), b.lowerStepLoop(head)
	if head.Field("max_iter") == nil && call.Field("max_iter") == nil {
		loop.MaxIter = first.MaxIter
	}
	if head.Field("repair") == nil {
		loop.Repair = first.Repair
	}
	if head.Field("keys") == nil {
		loop.Keys = b.loader.lowerKeys(b.fieldValue("keys"))
	}
	if call.Value("uses").IsNull() {
		loop.Uses = first.Uses
	}
	s.Node = loop
	s.Call = b.lowerStepCall(head, ir.DefaultRole)

	return s
}

// lowerStepLoop lowers a step file that is a react loop. Its limit of turns may be in two fields.
func (b *flowBuilder) lowerStepLoop(head *yamldoc.Node) *ir.React {
	loop := b.loader.lowerReact(head)
	older := head.Value("call").Field("max_iter")
	switch {
	case older == nil:
	case head.Field("max_iter") == nil:
		loop.MaxIter = b.loader.ReadLimit(older.Value, defaultMaxIter)
	default:
		b.loader.List.Add(diag.New(diag.UnusedField, older.Key.Span, "field %q of call is not used beside max_iter", "max_iter").Warn())
	}

	return loop
}

// readStep reads the common part of a step file and adds the step to the flow. The returned
// frontmatter may be nil. A missing file is reported, and the step then has neither frontmatter nor
// prompt.
func (b *flowBuilder) readStep(name string, kind validate.Kind) (*ir.Step, *yamldoc.Node) {
	s := &ir.Step{Name: ir.Text{Value: name}, File: b.document.agent.File}
	b.flow.Conversations = append(b.flow.Conversations, s)
	if !b.checkStepFile(name) {
		return s, nil
	}

	read := b.loader.readMarkdowns(kind, b.document.filePath(name+".md"))
	f, doc := read[0].file, read[0].doc
	s.File = f
	s.Name.Span = source.Span{File: f}
	s.PatternAt = frontend.Text(doc.Head.Value("pattern"))
	b.loader.markAsked(doc.Head)
	s.Prompt = ir.Text{Value: doc.Body, Span: doc.BodySpan}
	faulty := b.loader.IsFaulty(f)
	b.flow.Partial = b.flow.Partial || faulty
	if (doc.Head != nil || !faulty) && isBlank(s.Prompt) {
		b.report(diag.New(diag.BadValue, frontend.WholeFile(f), "step file %q has no prompt", f.Path).
			WithHint("write below the frontmatter what the model has to do"))
	}

	return s, doc.Head
}

// lowerStepCall lowers the model call of a step, which may be in two fields. It inherits from
// AGENT.md.
func (b *flowBuilder) lowerStepCall(head *yamldoc.Node, role string) ir.Call {
	model, older := head.Value("call").Value("model"), head.Field("model")
	switch {
	case older == nil:
	case model.IsNull():
		model = older.Value
	default:
		b.loader.List.Add(diag.New(diag.UnusedField, older.Key.Span, "field %q is not used beside call.model", "model"))
	}

	return withDefaultRole(inheritCall(b.loader.modelCall(model), b.written), role)
}

// reportUnusedPattern reports the pattern oneshot of a step that is a react loop.
func (b *flowBuilder) reportUnusedPattern(s *ir.Step, why string) {
	if s.PatternAt.Value == "oneshot" {
		b.loader.List.Add(diag.New(diag.UnusedField, s.PatternAt.Span, "pattern %q is not used: %s", "oneshot", why))
	}
}

// checkStepFile reports a step file that is missing or not a file, and returns whether it can be
// read.
func (b *flowBuilder) checkStepFile(name string) bool {
	if !b.document.hasFile(name + ".md") {
		b.reportUndefinedStep(name)
		return false
	}
	file := b.document.filePath(name + ".md")
	instead := b.loader.DescribeNonFile(file)
	if instead == "" {
		return true
	}
	b.report(diag.New(diag.UndefinedStep, b.document.agent.PatternAt.Span,
		"step file %q, which pattern %q needs, is %s", file, b.document.pattern, instead).
		WithHint("put a file there, with the prompt of this step"))

	return false
}

// reportUndefinedStep reports a missing step file. If the pattern is a guess for a misspelled word,
// it only drops the fix of that word, because the missing file makes the guess uncertain.
func (b *flowBuilder) reportUndefinedStep(name string) {
	if b.isPatternGuessed() {
		for _, d := range b.loader.List.Sorted() {
			if d.Span == b.document.agent.PatternAt.Span {
				d.Fixes = nil // a person decides
			}
		}
		return
	}
	file, at := b.document.filePath(name+".md"), b.document.agent.PatternAt.Span
	d := diag.New(diag.UndefinedStep, at, "step file %q, which pattern %q needs, does not exist", file, b.document.pattern)
	near, ok := b.misnamedStep(name)
	if !ok {
		b.report(d.WithHint("add it, with the prompt of this step"))
		return
	}
	d.Span = frontend.WholeFile(source.NewFile(b.document.filePath(near), nil)) // nothing reads this file
	b.report(d.WithHint("if %q is meant, rename it to %q", near, path.Base(file)).
		Note(at, "pattern %q is asked for here", b.document.pattern))
}

// isPatternGuessed reports whether the pattern is a guess for a misspelled word, which has been
// reported.
func (b *flowBuilder) isPatternGuessed() bool {
	a := b.document.agent
	_, written := diag.Literally(a.PatternAt.Span, b.document.pattern)
	alias := strings.HasPrefix(a.PatternAt.Span.Text(), "*")

	return b.loader.IsFaulty(a.File) && !written && !alias
}

// misnamedStep returns the file of the folder that is most likely meant as the step file.
func (b *flowBuilder) misnamedStep(name string) (near string, ok bool) {
	var folded []string
	written := map[string]string{}
	for _, file := range b.document.folder.files {
		if fold, prose := markdownName(strings.ToLower(file)); prose && file != AgentFile {
			folded = append(folded, fold)
			written[fold] = file
		}
	}
	if file := written[name+".md"]; file != "" {
		return file, true
	}
	near, ok = diag.Nearest(name+".md", folded)

	return written[near], ok
}

// markdownName returns the name of a text file with the extension .md.
func markdownName(file string) (name string, prose bool) {
	ext := path.Ext(file)
	switch ext {
	case ".md", ".markdown", ".mdx", ".txt":
		return strings.TrimSuffix(file, ext) + ".md", true
	}

	return "", false
}

// lowerCall lowers call.model with a default role.
func (l *loader) lowerCall(head *yamldoc.Node, role string) ir.Call {
	if f := head.Value("call").Field("model"); f != nil && f.Value.IsNull() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q of call has no value", f.Key.Text).
			WithHint("leave it out, or write a role or a name below it").Warn())
	}

	return withDefaultRole(l.modelCall(head.Value("call").Value("model")), role)
}

// modelCall lowers call.model without defaults: a mapping, or a text, which is a role or a model's
// name.
func (l *loader) modelCall(model *yamldoc.Node) ir.Call {
	if text, isText := model.Scalar(); isText {
		if strings.Contains(text, ":") {
			return ir.Call{Name: frontend.Text(model)}
		}
		return ir.Call{Role: frontend.Text(model), IsText: true}
	}

	name := frontend.Text(model.Value("name"))

	return ir.Call{
		Role:     frontend.Text(model.Value("role")),
		Name:     name,
		Settings: l.ReadSettings(model, name),
	}
}

// inheritCall fills in the missing fields of call from other. A role or a name in call excludes
// both of other.
func inheritCall(call, other ir.Call) ir.Call {
	if call.Role.Value == "" && call.Name.Value == "" {
		call.Role, call.IsText, call.Name = other.Role, other.IsText, other.Name
	}
	call.Settings = call.Settings.Or(other.Settings)

	return call
}

func withDefaultRole(call ir.Call, role string) ir.Call {
	if call.Role.Value == "" {
		call.Role = ir.Text{Value: role}
	}

	return call
}
