package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// prices returns what models cost.
func prices(p *ir.Prices) *jen.Statement {
	models := eachOf(p.Models, func(m *ir.ModelPrice) jen.Code {
		return jen.Values(keyed("Name", jen.Lit(m.Name.Value)), keyed("Input", jen.Lit(int(m.Input))),
			keyed("Output", jen.Lit(int(m.Output))), keyed("Cached", jen.Lit(int(m.Cached))), keyed("Stored", jen.Lit(int(m.Stored))))
	})

	return jen.Op("&").Add(in("model.Prices")).Add(fieldsOf("AsOf", p.AsOf, "Models", listOf(in("model.Price"), models)).braces())
}
