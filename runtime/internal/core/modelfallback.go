package core

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// noFallback is what a variable says that takes a role's fallbacks away.
const noFallback = "none"

// fallbacks are the models that a variable lists with commas between them.
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

// fallbacks are the models that stand in for one. Those at another provider have nothing that is for the role's model alone: a key, say,
// must not get to a server that it is not for. Files have no fallbacks and are none: a scripted answer and a real one never mix.
func (r resolver) fallbacks(s settings, first model.Model, choice *model.Choice) (models []model.Model, err error) {
	for _, name := range s.fallback {
		if isPlayed(first.Provider) {
			return nil, name.bad("cannot stand in for " + first.Name + ": what a file answers is all that there is")
		}
		own := s
		if provider, _, ok := cut(name.value); ok && provider != first.Provider {
			own.role, own.address, own.stream = "", setting{}, setting{}
		}
		m, err := r.named(own, name, choice)
		switch {
		case err != nil:
			return nil, err
		case isPlayed(m.Provider):
			return nil, name.bad("cannot stand in for " + first.Name + ": nothing falls back to a file by itself")
		}
		models = append(models, m)
	}

	return models, nil
}
