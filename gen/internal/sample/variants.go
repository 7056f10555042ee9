package sample

import "github.com/agentc-dev/agentc/gen/internal/ir"

// variants are different values for one schema.
type variants struct {
	texts []string
	known map[string]bool
	// tried says how much has been tried.
	tried int
}

func (m *maker) variantsOf(s *ir.Schema) *variants {
	v := m.variants[s]
	if v == nil {
		v = &variants{known: map[string]bool{}}
		m.variants[s] = v
	}

	return v
}

func (v *variants) add(text string) {
	if !v.known[text] {
		v.known[text] = true
		v.texts = append(v.texts, text)
	}
}
