package check

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// undefinedProvider finds models of providers that are neither built in nor named in the config. A
// role with its own address needs no provider. A provider of the config that no model uses and
// whose name is similar to a built-in one is a misspelling of that.
var undefinedProvider = Pass{Name: "undefined-provider", run: func(u *unit) {
	known := knownProviders(u.program)
	for _, name := range u.program.ModelNames() {
		provider, model, _ := strings.Cut(name.Value, ":")
		if provider == "" || model == "" || slices.Contains(known, provider) {
			continue
		}
		if !hasAddress(u.program, name) {
			u.report(undefinedProviderDiagnostic(u.program, *name, provider, known))
		}
	}
	for _, p := range u.program.Providers {
		if d := misspelledProviderDiagnostic(u.program, p); d != nil {
			u.report(d)
		}
	}
}}

// knownProviders returns the words that may precede the colon of a model.
func knownProviders(p *ir.Program) []string {
	own := ir.Map(p.Providers, func(provider *ir.Provider) string { return provider.Name.Value })

	return append(slices.Concat(builtinProviders(), own), strings.TrimSuffix(ir.ReplayPrefix, ":"), strings.TrimSuffix(ir.ScriptPrefix, ":"))
}

func builtinProviders() []string {
	return ir.Map(builtin.Providers, func(p builtin.Provider) string { return p.Name })
}

// hasAddress reports whether the name belongs to a role whose config has the address of its model.
func hasAddress(p *ir.Program, name *ir.Text) bool {
	return slices.ContainsFunc(p.Models, func(m *ir.Model) bool { return m.BaseURL != "" && &m.Name == name })
}

func undefinedProviderDiagnostic(p *ir.Program, model ir.Text, provider string, known []string) *diag.Diagnostic {
	span := model.Span
	if at, literal := diag.Literally(span, model.Value); literal {
		span = at
		span.End = at.Start + len(provider)
	}
	if word, rest, ok := strings.Cut(model.Value, "/"); ok && strings.Contains(provider, "/") {
		meant := word + ":" + rest
		return diag.New(diag.UndefinedProvider, span, "the provider of %q is the word before the colon, %q", model.Value, provider).
			WithHint("did you mean %q? %s", meant, describeProvider(p, word, known))
	}
	d := diag.New(diag.UndefinedProvider, span, "provider %q is not built in, and the config does not name it", provider)

	return d.WithHint("name it in the config: %s", providerSetting(p, provider)).Suggest(provider, known).
		Note(noSpan, "the built-in providers are %s", diag.JoinNames(builtinProviders()))
}

// describeProvider describes how the config names a provider.
func describeProvider(p *ir.Program, provider string, known []string) string {
	if slices.Contains(known, provider) {
		return "Its provider is known"
	}

	return "The config names its provider: " + providerSetting(p, provider)
}

// providerSetting returns the setting that names a provider in the config of the project.
func providerSetting(p *ir.Program, provider string) string {
	if slices.ContainsFunc(p.Files, func(f *source.File) bool { return f.Path == "tama.toml" }) {
		return "[providers." + provider + "] with base_url"
	}

	return "providers: {" + provider + ": {base_url: …}}"
}

// misspelledProviderDiagnostic describes a provider of the config that misspells a built-in one:
// models use the built-in one, or the config has no address for this one. Otherwise it returns nil.
func misspelledProviderDiagnostic(p *ir.Program, provider *ir.Provider) *diag.Diagnostic {
	name, known := provider.Name, builtinProviders()
	near, ok := diag.Nearest(name.Value, known)
	isNear := func(m *ir.Text) bool { return strings.HasPrefix(m.Value, near+":") }
	isOwn := func(m *ir.Text) bool { return strings.HasPrefix(m.Value, name.Value+":") }
	names := p.ModelNames()
	isUnusable := provider.BaseURL == "" && provider.Import.Value == ""
	isMisspelled := ok && diag.IsCertain(name.Value, near, known) && !slices.ContainsFunc(names, isOwn)
	if !isMisspelled || !isUnusable && !slices.ContainsFunc(names, isNear) {
		return nil
	}

	return diag.New(diag.UndefinedProvider, name.Span, "no model uses the provider %q; %q is built in", name.Value, near).
		Suggest(name.Value, []string{near})
}
