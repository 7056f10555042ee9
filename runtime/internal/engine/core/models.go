package core

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/modelname"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/size"
)

const defaultRole = "default"

// Resolve returns the model that a choice means; the README of this package describes the order of
// its sources. choice must not be nil, p may be. Errors: *MissingModelError without Agents,
// *runtime.BadSettingError.
func Resolve(p *compiled.Program, choice *model.Choice, env func(string) (string, bool)) (model.Model, error) {
	r := resolver{program: p, env: env}
	s, err := r.choice(choice)
	if err != nil {
		return model.Model{}, err
	}

	m, err := r.resolveNamed(s, s.name, choice)
	if err != nil {
		return model.Model{}, err
	}
	m.Fallback, err = r.fallbacks(s, m, choice)

	return m, err
}

// resolveNamed returns a model with a role's settings, and the agent's own.
func (r resolver) resolveNamed(s settings, name setting, choice *model.Choice) (m model.Model, err error) {
	provider, id, ok := modelname.Split(name.value)
	if !ok {
		return model.Model{}, name.badSetting("is not of the form provider:model")
	}
	m = model.Model{
		Role: s.role, Name: name.value, Provider: provider, ID: id,
		Settings: choice.Settings.Or(s.Settings),
	}
	if isPlayed(provider) {
		return m, nil
	}
	configured := r.provider(s, provider)
	m.BaseURL, err = r.address(s, configured)
	if err != nil {
		return m, err
	}
	m.Plain, err = r.plain(s, configured)
	if err != nil {
		return m, err
	}
	m.EndsWithoutReason, err = r.endsWithoutReason(configured)
	if err != nil {
		return m, err
	}
	m.MaxReply, err = r.limit("REPLY", func(l compiled.Limits) int64 { return l.Reply })

	return m, err
}

// resolver resolves choices of models.
type resolver struct {
	program *compiled.Program
	env     func(string) (string, bool)
}

// settings are the settings of a role.
type settings struct {
	role string
	// name is empty if nothing names the role's model.
	name setting
	model.Settings
	// fallback are the models that are called after one another when the previous one has failed
	// permanently.
	fallback []setting
	// address and stream are the role's address and streaming in the environment, and configured in
	// the configuration, for a model of that provider.
	address, stream setting
	configured      compiled.Provider
}

// setting is a value and its source: a variable, or a place in a file.
type setting struct {
	from, value string
}

func (s setting) badSetting(problem string) error {
	return &runtime.BadSettingError{Name: s.from, Value: s.value, Problem: problem}
}

// choice returns the settings for the choice of an agent, without the agent's own numbers.
func (r resolver) choice(choice *model.Choice) (settings, error) {
	if choice.Name != "" {
		return settings{name: setting{"call.model.name", choice.Name}}, nil
	}
	role := cmp.Or(choice.Role, defaultRole)
	own, err := r.role(role)
	if err != nil {
		return settings{}, err
	}
	if own.name.value != "" {
		return own, nil
	}

	lent, err := r.role(defaultRole)
	if err != nil {
		return settings{}, err
	}
	if lent.name.value == "" {
		return settings{}, &MissingModelError{Role: role}
	}

	return own.mergeOver(lent), nil
}

// mergeOver returns the settings of a role that has no model of its own: it has those of the role
// default, which the role's variables override.
func (s settings) mergeOver(lent settings) settings {
	lent.role = s.role
	lent.Settings = s.Settings.Or(lent.Settings)
	lent.address = cmp.Or(s.address, lent.address)
	lent.stream = cmp.Or(s.stream, lent.stream)
	if s.fallback != nil {
		lent.fallback = s.fallback
	}

	return lent
}

// role returns the settings of a role in the configuration and the environment, which overrides the
// configuration.
func (r resolver) role(role string) (settings, error) {
	s := r.configured(role)
	named := r.variable("MODEL", role, "_NAME")
	if named.value == "" {
		named = r.variable("MODEL", role, "")
	}
	if named.value != "" {
		s.name, s.fallback = named, nil // what is configured replaces the model that is configured, and for no other
	}
	if v := r.variable("MODEL", role, "_FALLBACK"); v.value != "" {
		s.fallback = v.fallbacks()
	}
	s.address = r.variable("MODEL", role, "_BASE_URL")
	s.stream = r.variable("MODEL", role, "_STREAM")

	return s, r.override(&s)
}

func (r resolver) configured(role string) settings {
	s := settings{role: role}
	if r.program == nil {
		return s
	}
	for _, m := range r.program.Models {
		if m.Role == role {
			s.name = setting{"models." + role, m.Name}
			s.Settings = m.Settings
			provider, _, _ := modelname.Split(m.Name)
			s.configured = compiled.Provider{Name: provider, BaseURL: m.BaseURL, Stream: m.Stream}
			for _, name := range m.Fallback {
				s.fallback = append(s.fallback, setting{"models." + role + ".fallback", name})
			}
		}
	}

	return s
}

// override applies the variables of a role's model.
func (r resolver) override(s *settings) error {
	for _, row := range model.SettingTable() {
		v := r.variable("MODEL", s.role, row.Variable)
		if v.value == "" {
			continue
		}
		changed := s.Settings // a copy, so that s is not moved to the heap
		if err := row.Parse(&changed, v.value); err != nil {
			return v.badSetting(err.Error())
		}
		s.Settings = changed
	}

	return nil
}

// provider returns the configuration of a provider's models. The configuration of a role
// applies to its provider, and not to a model of another one.
func (r resolver) provider(s settings, name string) compiled.Provider {
	p := compiled.Provider{Name: name}
	if r.program != nil {
		for _, known := range r.program.Providers {
			if known.Name == name {
				p = known
				break
			}
		}
	}
	if s.configured.Name == name {
		p.BaseURL, p.Stream = cmp.Or(s.configured.BaseURL, p.BaseURL), cmp.Or(s.configured.Stream, p.Stream)
	}

	return p
}

// address returns the address at which a model is called.
func (r resolver) address(s settings, configured compiled.Provider) (string, error) {
	v := cmp.Or(s.address, r.variable("PROVIDER", configured.Name, "_BASE_URL"))
	if v.value == "" {
		return configured.BaseURL, nil
	}
	if !strings.HasPrefix(v.value, "http://") && !strings.HasPrefix(v.value, "https://") {
		return "", v.badSetting("is not an address that begins with http:// or https://")
	}

	return v.value, nil
}

// variable returns the first variable of a role or a provider that is set and not empty:
// AGENTC_MODEL_THINKER_NAME, else TAMA_MODEL_THINKER_NAME.
func (r resolver) variable(kind, name, field string) setting {
	word := strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	for _, prefix := range []string{"AGENTC_", "TAMA_"} {
		variable := prefix + kind + "_" + word + field
		value, isSet := r.env(variable)
		if isSet && value != "" {
			return setting{variable, value}
		}
	}

	return setting{}
}

// plain reports whether replies of a model are requested in one piece. The sources belong to its
// address.
func (r resolver) plain(s settings, configured compiled.Provider) (bool, error) {
	v := cmp.Or(s.stream, r.variable("PROVIDER", configured.Name, "_STREAM"))
	if v.value == "" {
		return configured.Stream != nil && !*configured.Stream, nil
	}
	stream, err := strconv.ParseBool(v.value)
	if err != nil {
		return false, v.badSetting("is neither true nor false")
	}

	return !stream, nil
}

// endsWithoutReason reports whether the replies of a provider may end without a reason.
func (r resolver) endsWithoutReason(configured compiled.Provider) (bool, error) {
	v := r.variable("PROVIDER", configured.Name, "_ENDS_WITHOUT_REASON")
	if v.value == "" {
		return configured.EndsWithoutReason, nil
	}
	ends, err := strconv.ParseBool(v.value)
	if err != nil {
		return false, v.badSetting("is neither true nor false")
	}

	return ends, nil
}

// limit returns a limit in bytes: the variable AGENTC_LIMIT_NAME, else the configured one; 0
// without either.
func (r resolver) limit(name string, configured func(compiled.Limits) int64) (int64, error) {
	variable := "AGENTC_LIMIT_" + name
	if value, ok := r.env(variable); ok && value != "" {
		bytes, err := size.Parse(value)
		if err != nil {
			return 0, setting{variable, value}.badSetting(err.Error())
		}

		return bytes, nil
	}
	if r.program == nil {
		return 0, nil
	}

	return configured(r.program.Limits), nil
}

// noFallback is the value of a variable that removes a role's fallbacks.
const noFallback = "none"

// fallbacks returns the models that a variable lists, separated by commas.
func (s setting) fallbacks() []setting {
	list := []setting{}
	if strings.TrimSpace(s.value) == noFallback {
		return list
	}
	for name := range strings.SplitSeq(s.value, ",") {
		list = append(list, setting{s.from, strings.TrimSpace(name)})
	}

	return list
}

// fallbacks returns the models that replace another one. A model of another provider gets nothing
// that is only for the role's model: a key must not reach a server that it is not for. Scripts and
// recordings have no fallbacks and replace nothing, so that scripted and real answers never mix.
func (r resolver) fallbacks(s settings, first model.Model, choice *model.Choice) (models []model.Model, err error) {
	for _, name := range s.fallback {
		if isPlayed(first.Provider) {
			return nil, name.badSetting("cannot replace " + first.Name + ": a file that answers has no fallback")
		}
		own := s
		if provider, _, ok := modelname.Split(name.value); ok && provider != first.Provider {
			own.role, own.address, own.stream = "", setting{}, setting{}
		}
		m, err := r.resolveNamed(own, name, choice)
		switch {
		case err != nil:
			return nil, err
		case isPlayed(m.Provider):
			return nil, name.badSetting("cannot replace " + first.Name + ": nothing falls back to a file by itself")
		}
		models = append(models, m)
	}

	return models, nil
}
