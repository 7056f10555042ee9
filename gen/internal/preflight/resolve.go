package preflight

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	prices "github.com/agentc-dev/agentc/runtime/model"
)

// addModel adds the models of a conversation, with its fallbacks.
func (l *list) addModel(by string, call ir.Call) {
	name, from := l.resolveModel(call)
	if name == "" {
		role := cmp.Or(call.Role.Value, "default")
		n := Need{Kind: "model", Name: "role " + role, Missing: "no model is configured for it"}
		n.Add, n.Config = l.modelLine(role)
		l.add(n, by)
		return
	}
	l.addNamedModel(by, call, name, from)
	for _, fallback := range l.fallbackModels(from) {
		l.addNamedModel(by, call, fallback, "a fallback of "+from)
	}
}

// addNamedModel adds a model, its provider, and the provider's key.
func (l *list) addNamedModel(by string, call ir.Call, name, from string) {
	n := Need{Kind: "model", Name: name, From: from}
	provider, id, _ := strings.Cut(name, ":")
	switch {
	case provider == "" || id == "":
		n.From, n.Missing = "", from+" names it, but it is not of the form provider:model"
	case provider == "replay" && !l.isCompiledIn(name):
		n = n.withProblem(from+" names it: ", l.machine.Readable(id)) // a binary reads this file when a run begins
	case ir.IsFileModel(name) && !l.isCompiledIn(name):
		n.From, n.Missing = "", from+" names it, but only scripts that agentc.yaml or an agent names are compiled in"
	}
	l.add(n, by)
	if n.Missing != "" || ir.IsFileModel(name) {
		return
	}
	isKnown, keys := builtin.ProviderKeys(provider)
	if !slices.Contains(l.program.ProviderNames(), provider) {
		n := Need{
			Kind: "provider", Name: provider, Missing: from + " names it, but a binary has only the providers that the project names",
			Add: "providers: {" + provider + ": {}}", Config: true,
		}
		if !isKnown {
			n.Add, n.Config = "providers: {"+provider+": {base_url: ADDRESS}} to agentc.yaml", false
		}
		l.add(n, by)
	}
	address, from := l.findAddress(call, provider)
	if local := builtin.LocalAddress(provider); address == "" && local != "" {
		l.addLocalServer(by, local, "the default of "+provider)
	}
	l.addLocalServer(by, address, from)
	if !isKnown || len(keys) == 0 || address != "" {
		return // a server at another address may need no key
	}
	upper := toVariableName(provider)
	all := slices.Concat([]string{"AGENTC_PROVIDER_" + upper + "_API_KEY", "TAMA_PROVIDER_" + upper + "_API_KEY"}, keys)
	if role := call.Role.Value; role != "" && call.Name.Value == "" {
		all = append([]string{"AGENTC_MODEL_" + toVariableName(role) + "_API_KEY", "TAMA_MODEL_" + toVariableName(role) + "_API_KEY"}, all...)
	}
	n = Need{Kind: "key", Name: provider}
	if i := slices.IndexFunc(all, l.machine.isSet); i >= 0 {
		n.From = all[i]
	} else {
		n.Missing, n.Add = keys[0]+" is not set", "export "+keys[0]+"=..."
	}
	l.add(n, by)
}

// fallbackModels returns the models that are called after the model of a role has failed. from is
// the setting of the role.
func (l *list) fallbackModels(from string) (names []string) {
	for _, role := range l.program.Models {
		if from == "models."+role.Role.Value {
			names = append(names, ir.Values(role.Fallback)...)
		}
	}

	return names
}

// isCompiledIn reports whether the project names the file that answers for a model.
func (l *list) isCompiledIn(name string) bool {
	return slices.ContainsFunc(l.program.ModelNames(), func(known *ir.Text) bool { return known.Value == name })
}

// addPrices adds the prices of models that a dollar budget needs.
func (l *list) addPrices(reached []*ir.Agent) {
	if l.machine.isSet("AGENTC_PRICES") {
		return
	}
	limited := compiled.LimitedConversations(l.program.Budget.LimitsMoney(), ir.Map(reached, newSpender))
	for _, model := range slices.Clone(l.needs) {
		isLimited := slices.ContainsFunc(model.For, func(by string) bool { return limited[by] })
		if model.Kind != "model" || model.Missing != "" || ir.IsFileModel(model.Name) || !isLimited {
			continue
		}
		n := Need{Kind: "price", Name: model.Name, From: "prices.yaml"}
		switch price, listed := l.program.PriceOf(model.Name); {
		case price == nil:
			n.From, n.Missing = "", "a dollar budget needs it, but neither prices.yaml nor the list prices have it"
			n.Add = fmt.Sprintf("%q: {input: DOLLARS, output: DOLLARS} to prices.yaml", model.Name)
		case listed:
			n.From = "list prices of " + prices.ListPricesDay
		}
		for _, by := range model.For {
			if limited[by] {
				l.add(n, by)
			}
		}
	}
}

// newSpender describes the budgets of an agent, as the compiled agent does.
func newSpender(a *ir.Agent) compiled.Spender {
	s := compiled.Spender{Name: a.Name.Value, IsLimited: a.Budget.LimitsMoney(), Priced: a.Priced()}
	for _, step := range a.Conversations() {
		s.Conversations = append(s.Conversations, step.Label(s.Name))
	}
	for _, ref := range a.Contained() {
		if ref.Agent != nil {
			s.Contains = append(s.Contains, ref.Agent.Name.Value)
		}
	}

	return s
}

// findAddress returns the configured address of a role or a provider, and its setting; "" means the
// built-in address.
func (l *list) findAddress(call ir.Call, provider string) (address, from string) {
	role := call.Role.Value
	if call.Name.Value == "" && role != "" {
		if own, variable := l.lookupVariable("MODEL", role, "_BASE_URL"); own != "" {
			return own, variable
		}
	}
	for _, m := range l.program.Models {
		if m.Role.Value == role && m.BaseURL != "" {
			return m.BaseURL, "models." + role
		}
	}
	if shared, variable := l.lookupVariable("PROVIDER", provider, "_BASE_URL"); shared != "" {
		return shared, variable
	}
	for _, p := range l.program.Providers {
		if p.Name.Value == provider && p.BaseURL != "" {
			return p.BaseURL, "providers." + provider
		}
	}
	hasOwnVariable := provider == "openai" || provider == "anthropic" // their variables have no prefix
	if variable := toVariableName(provider) + "_BASE_URL"; hasOwnVariable && l.machine.isSet(variable) {
		return l.machine.Vars[variable], variable
	}

	return "", ""
}

// addLocalServer adds the address of a model on this machine, which can be checked without cost.
func (l *list) addLocalServer(by, address, from string) {
	parsed, err := url.Parse(address)
	if err != nil || l.machine.Dial == nil || !isLoopback(parsed.Hostname()) {
		return
	}
	port := cmp.Or(parsed.Port(), map[string]string{"https": "443"}[parsed.Scheme], "80")
	host := net.JoinHostPort(parsed.Hostname(), port)
	l.add(Need{Kind: "address", Name: host, From: from}.withProblem("no server answers, is it running? ", l.machine.Dial(host)), by)
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)

	return host == "localhost" || err == nil && address.IsLoopback()
}

// resolveModel returns the model of a conversation and the setting that names it, as engines do:
// the agent's own, else the model of its role, else of the role default. The environment takes
// precedence over the config.
func (l *list) resolveModel(call ir.Call) (name, from string) {
	if call.Name.Value != "" {
		return call.Name.Value, "the agent itself"
	}
	for _, role := range []string{cmp.Or(call.Role.Value, "default"), "default"} {
		for _, suffix := range []string{"_NAME", ""} {
			if own, variable := l.lookupVariable("MODEL", role, suffix); own != "" {
				return own, variable
			}
		}
		for _, m := range l.program.Models {
			if m.Role.Value == role {
				return m.Name.Value, "models." + role
			}
		}
	}

	return "", ""
}

// lookupVariable returns the value of the variable of a role or a provider, under its new or its
// old name.
func (l *list) lookupVariable(kind, name, field string) (value, from string) {
	for _, prefix := range []string{"AGENTC_", "TAMA_"} {
		variable := prefix + kind + "_" + toVariableName(name) + field
		if l.machine.isSet(variable) {
			return l.machine.Vars[variable], variable
		}
	}

	return "", ""
}

// toVariableName returns a name in the form of a part of a variable name.
func toVariableName(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
