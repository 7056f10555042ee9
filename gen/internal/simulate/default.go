package simulate

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// withDefaults returns an object with the defaults of its schema where it lacks a property.
func withDefaults(s *ir.Schema, v workflow.Value) workflow.Value {
	if s == nil {
		return v
	}
	for _, p := range s.Properties {
		if p.Schema == nil || p.Schema.Default == "" || v.Has(p.Name.Value) || !json.Valid([]byte(p.Schema.Default)) {
			continue
		}
		if value, err := workflow.Parse([]byte(p.Schema.Default)); err == nil {
			v = v.Merge(workflow.Object(workflow.Member{Name: p.Name.Value, Value: value}))
		}
	}

	return v
}
