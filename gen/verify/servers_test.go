package verify_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// comparedOfServers returns the declarations of a file that are compared token by token and come from MCP servers.
func comparedOfServers(p *ir.Program, f emit.File) []string {
	var list []string
	switch f.Name {
	case names.ServersFile:
		list = append(list, names.ServerParts)
	case names.SharedFile:
		for _, s := range p.Servers {
			for _, tool := range s.Tools {
				name := tool.Name.Value
				list = append(list, names.Tool(name), names.ToolInputSchema(name), names.ToolOutputSchema(name))
			}
		}
	}

	return list
}

// The file of the servers is there for a program whose skills name one and for no other, and it imports just what it needs.
func TestServers(t *testing.T) {
	f := fileOf(t, "servers", names.ServersFile)
	f.areRefused(map[string][]emit.File{
		"none":              f.without(),
		"another package":   f.with("runtime/mcp/client", "runtime/mcp/other/client"),
		"an import more":    f.with("import (", "import (\n\t_ \"net/http\""),
		"another command":   f.with(`"desk-server", `, `"desk-server", "--fast", `),
		"a variable more":   f.with(`Env:      []string{`, `Env:      []string{"HOME", `),
		"a tool more":       f.with("Tools: []client.Tool{", "Tools: []client.Tool{\n{Spec: &findTool, Remote: \"unused\"},"),
		"an unchecked tool": f.with(", CheckOutput: checkDeskGreetOutput", ""),
		"the empty one":     emit.WithoutProviders("agents", f.files),
	})

	f.p.Servers = nil
	f.isRefused(verify.Servers)
}
