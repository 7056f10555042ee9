package verify_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// The file of what opens models is there for a program that names a provider and for no other, and it imports just what it needs.
func TestProviders(t *testing.T) {
	f := fileOf(t, "providers", names.ProvidersFile)
	f.areRefused(map[string][]emit.File{
		"none":            f.without(),
		"another package": f.with("runtime/openai", "runtime/closedai/openai"),
		"an import more":  f.with("import (", "import (\n\t_ \"net/http\""),
		"a provider less": f.with(`"gemini", `, ""),
		"the empty one":   emit.WithoutProviders("agents", f.files),
	})

	f.p.Models, f.p.Providers = nil, nil
	f.p.AgentByName("read").Call = ir.Call{}
	f.isRefused(verify.Providers)
}
