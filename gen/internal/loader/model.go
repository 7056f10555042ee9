package loader

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// models takes the roles of the config.
func (l *loader) models(n *yamldoc.Node) {
	for _, f := range n.Members() {
		l.Program.HasModels = true
		model := &ir.Model{Role: frontend.Key(f)}
		switch {
		case f.Value != nil && f.Value.Kind == yamldoc.Map:
			model.Name = frontend.Text(f.Value.Value("name"))
			model.Fallback = frontend.Texts(f.Value.Value("fallback"))
			model.Temperature = frontend.Number(f.Value.Value("temperature"))
			model.MaxTokens = l.Whole(f.Value.Value("max_tokens"))
			model.BaseURL = frontend.Text(f.Value.Value("base_url")).Value
			model.Stream = stream(f.Value)
		case f.Value != nil && f.Value.Kind == yamldoc.Seq:
			if names := frontend.Texts(f.Value); len(names) > 0 {
				model.Name, model.Fallback = names[0], names[1:]
			}
		default:
			model.Name = frontend.Text(f.Value)
		}
		l.fallbacks(model)
		l.Program.Models = append(l.Program.Models, model)
	}
}

// fallbacks reports models that cannot replace another: files of the project answer for themselves, and what has failed once is
// not asked again under the same name.
func (l *loader) fallbacks(m *ir.Model) {
	if len(m.Fallback) > 0 && ir.Answered(m.Name.Value) {
		l.List.Add(diag.New(diag.BadValue, m.Fallback[0].Span, "%q is a file of the project, so it has no fallback", m.Name.Value).
			WithHint("remove the models after it, or replace it with a model of a provider"))
		return
	}
	tried := []string{m.Name.Value}
	for _, fallback := range m.Fallback {
		switch name := fallback.Value; {
		case ir.Answered(name):
			l.List.Add(diag.New(diag.BadValue, fallback.Span,
				"%q is a file of the project and cannot replace a model: a run would continue with invented answers", name).
				WithHint("leave it out"))
		case slices.Contains(tried, name):
			l.List.Add(diag.New(diag.BadValue, fallback.Span, "%q has already failed when it would be called here", name).
				WithHint("leave it out"))
		}
		tried = append(tried, fallback.Value)
	}
}

// providers takes the providers that the config names, and their addresses.
func (l *loader) providers(n *yamldoc.Node) {
	for _, f := range n.Members() {
		name := frontend.Key(f)
		if problem := notProvider(name.Value); problem != "" {
			l.List.Add(diag.New(diag.BadValue, name.Span, "%q is not a provider of models: %s", name.Value, problem))
			continue
		}
		l.Program.Providers = append(l.Program.Providers, &ir.Provider{
			Name: name, BaseURL: frontend.Text(f.Value.Value("base_url")).Value, Import: frontend.Text(f.Value.Value("import")), Stream: stream(f.Value),
		})
	}
}

// stream is the setting of a role or a provider; nil without one.
func stream(n *yamldoc.Node) *bool {
	set := n.Value("stream")
	if set == nil || set.Kind != yamldoc.Bool {
		return nil
	}
	on := frontend.Bool(set)

	return &on
}

// notProvider says why no model has a provider of this name; "" if one can have it.
func notProvider(name string) string {
	switch {
	case ir.Answered(name + ":"):
		return "its models are files of the project"
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == ':' || unicode.IsSpace(r) }):
		return "it is the word before the colon of provider:model"
	}

	return ""
}
