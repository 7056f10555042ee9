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

// step reads the step file called name and makes it the flow's next conversation. It is a react loop if it says so or has
// skills; what its prompt sounds like does not count.
func (b *flowBuilder) step(name string) *ir.Step {
	s, head := b.readStep(name, validate.Step)
	skills := len(frontend.Texts(head.Value("call").Value("uses"))) > 0
	if s.PatternAt.Value != "react" && !skills {
		s.Node = b.loader.oneshotOf(head)
		s.Call = b.stepCall(head, ir.OneshotRole)
		return s
	}
	if skills {
		b.patternUnused(s, "a step with skills is a react loop")
	}
	s.Node = b.stepLoop(head)
	s.Call = b.stepCall(head, ir.ReactRole)

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
	s.Call = b.stepCall(head, ir.DefaultRole)

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
		b.loader.List.Add(diag.New(diag.UnusedField, older.Key.Span, "field %q of call is not used beside max_iter", "max_iter").Warn())
	}

	return loop
}

// readStep reads a step file as far as all kinds of steps are alike, and adds it to the flow. The head is nil if the file
// has none. Without the file, which is reported, the step has neither head nor prompt.
func (b *flowBuilder) readStep(name string, kind validate.Kind) (*ir.Step, *yamldoc.Node) {
	s := &ir.Step{Name: ir.Text{Value: name}, File: b.document.agent.File}
	b.flow.Conversations = append(b.flow.Conversations, s)
	if !b.isStep(name) {
		return s, nil
	}

	read := b.loader.readMarkdowns(kind, b.document.path(name+".md"))
	f, doc := read[0].file, read[0].doc
	s.File = f
	s.Name.Span = source.Span{File: f}
	s.PatternAt = frontend.Text(doc.Head.Value("pattern"))
	b.loader.ask(doc.Head)
	s.Prompt = ir.Text{Value: doc.Body, Span: doc.BodySpan}
	faulty := b.loader.IsFaulty(f)
	b.flow.Partial = b.flow.Partial || faulty
	if (doc.Head != nil || !faulty) && blank(s.Prompt) {
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

// isStep reports whether a file of the folder can be read as the step that its name says. If there is none, or something
// else bears its name, that is reported.
func (b *flowBuilder) isStep(name string) bool {
	if !b.document.has(name + ".md") {
		b.undefinedStep(name)
		return false
	}
	file := b.document.path(name + ".md")
	instead := b.loader.NotFile(file)
	if instead == "" {
		return true
	}
	b.report(diag.New(diag.UndefinedStep, b.document.agent.PatternAt.Span,
		"step file %q, which pattern %q needs, is %s", file, b.document.pattern, instead).
		WithHint("put a file there, with the prompt of this step"))

	return false
}

// undefinedStep reports a step file that the pattern needs and that does not exist. What a misspelled pattern needs is reported
// when the pattern is right: it is only a guess, and one that is not written without asking, as the file is missing.
func (b *flowBuilder) undefinedStep(name string) {
	if b.guessedPattern() {
		for _, d := range b.loader.List.Sorted() {
			if d.Span == b.document.agent.PatternAt.Span {
				d.Fixes = nil // a person decides
			}
		}
		return
	}
	file, at := b.document.path(name+".md"), b.document.agent.PatternAt.Span
	d := diag.New(diag.UndefinedStep, at, "step file %q, which pattern %q needs, does not exist", file, b.document.pattern)
	near, ok := b.misnamedStep(name)
	if !ok {
		b.report(d.WithHint("add it, with the prompt of this step"))
		return
	}
	d.Span = frontend.WholeFile(source.NewFile(b.document.path(near), nil)) // which nothing reads
	b.report(d.WithHint("if %q is meant, rename it to %q", near, path.Base(file)).
		Note(at, "pattern %q is asked for here", b.document.pattern))
}

// guessedPattern reports whether the pattern is what a misspelled word was taken for, which is a diagnostic of its own.
func (b *flowBuilder) guessedPattern() bool {
	a := b.document.agent
	_, written := diag.Literally(a.PatternAt.Span, b.document.pattern)
	alias := strings.HasPrefix(a.PatternAt.Span.Text(), "*")

	return b.loader.IsFaulty(a.File) && !written && !alias
}

// misnamedStep returns the file of the folder that was most likely meant to be the step's.
func (b *flowBuilder) misnamedStep(name string) (near string, ok bool) {
	var folded []string
	written := map[string]string{}
	for _, file := range b.document.folder.files {
		if fold, prose := asMarkdown(strings.ToLower(file)); prose && file != AgentFile {
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

// asMarkdown returns the name that a file of text has if it ends in .md.
func asMarkdown(file string) (name string, prose bool) {
	ext := path.Ext(file)
	switch ext {
	case ".md", ".markdown", ".mdx", ".txt":
		return strings.TrimSuffix(file, ext) + ".md", true
	}

	return "", false
}

// call reads call.model; role counts where none is written.
func (l *loader) call(head *yamldoc.Node, role string) ir.Call {
	if f := head.Value("call").Get("model"); f != nil && f.Value.IsNull() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span, "field %q of call has no value", f.Key.Text).
			WithHint("leave it out, or write a role or a name below it").Warn())
	}

	return withRole(l.written(head.Value("call").Value("model")), role)
}

// written reads call.model, and nothing that it does not say: a mapping, or a text, which is a role or the name of a model.
func (l *loader) written(model *yamldoc.Node) ir.Call {
	if text, isText := model.Scalar(); isText {
		if strings.Contains(text, ":") {
			return ir.Call{Name: frontend.Text(model)}
		}
		return ir.Call{Role: frontend.Text(model), IsText: true}
	}

	return ir.Call{
		Role:     frontend.Text(model.Value("role")),
		Name:     frontend.Text(model.Value("name")),
		Settings: l.Settings(model),
	}
}

// completed takes from other what call does not say. Role and name say together whom to ask: with either of them, call
// takes neither.
func completed(call, other ir.Call) ir.Call {
	if call.Role.Value == "" && call.Name.Value == "" {
		call.Role, call.IsText, call.Name = other.Role, other.IsText, other.Name
	}
	call.Settings = call.Settings.Or(other.Settings)

	return call
}

func withRole(call ir.Call, role string) ir.Call {
	if call.Role.Value == "" {
		call.Role = ir.Text{Value: role}
	}

	return call
}
