package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// prices returns what models cost.
func prices(p *ir.Prices) jen.Code {
	l := &fields{}
	l.text("AsOf", p.AsOf)
	if len(p.Models) > 0 {
		var models []jen.Code
		for _, m := range p.Models {
			models = append(models, jen.Values(jen.Id("Name").Op(":").Lit(m.Name.Value),
				jen.Id("Input").Op(":").Lit(int(m.Input)), jen.Id("Output").Op(":").Lit(int(m.Output)),
				jen.Id("Cached").Op(":").Lit(int(m.Cached)), jen.Id("Stored").Op(":").Lit(int(m.Stored))))
		}
		l.set("Models", jen.Index().Add(in("ModelPrice")).Custom(block, models...))
	}

	return jen.Op("&").Add(in("Prices")).Add(l.braces())
}
