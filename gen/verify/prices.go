package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// prices is what models cost, as it is written.
func prices(p *ir.Prices) string {
	var fields []string
	if p.AsOf != "" {
		fields = append(fields, "AsOf: "+strconv.Quote(p.AsOf))
	}
	var models []string
	for _, m := range p.Models {
		models = append(models, fmt.Sprintf("{Name: %q, Input: %d, Output: %d, Cached: %d, Stored: %d}",
			m.Name.Value, m.Input, m.Output, m.Cached, m.Stored))
	}
	if models != nil {
		fields = append(fields, "Models: []runtime.ModelPrice{"+strings.Join(models, ", ")+"}")
	}

	return "&runtime.Prices{" + strings.Join(fields, ", ") + "}"
}
