package core

import (
	"cmp"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/size"
)

// plain reports whether a model is asked for its replies in one piece: what counts is found as its address is.
func (r resolver) plain(s settings, provider string) (bool, error) {
	if v := cmp.Or(s.stream, r.variable("PROVIDER", provider, "_STREAM")); v.value != "" {
		stream, err := strconv.ParseBool(v.value)
		if err != nil {
			return false, v.bad("is neither true nor false")
		}

		return !stream, nil
	}
	if s.configuredStream != model.StreamDefault && s.configuredFor == provider {
		return s.configuredStream == model.StreamOff, nil
	}
	if r.program != nil {
		for _, p := range r.program.Providers {
			if p.Name == provider {
				return p.Stream == model.StreamOff, nil
			}
		}
	}

	return false, nil
}

// limit is a bound in bytes: that of the variable AGENTC_LIMIT_NAME, else the configured one; 0 without either.
func (r resolver) limit(name string, configured func(compiled.Limits) int64) (int64, error) {
	variable := "AGENTC_LIMIT_" + name
	if value, ok := r.env(variable); ok && value != "" {
		bytes, err := size.Parse(value)
		if err != nil {
			return 0, setting{variable, value}.bad(err.Error())
		}

		return bytes, nil
	}
	if r.program == nil {
		return 0, nil
	}

	return configured(r.program.Limits), nil
}
