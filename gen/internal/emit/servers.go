package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// serversDraft is the file of the MCP servers that skills name; nil if there are none.
func serversDraft(p *ir.Program) *draft {
	if len(p.Servers) == 0 {
		return nil
	}

	servers := jen.Qual(names.ClientPath, "Part").Values(keyed("Servers", listOf(inClient("Server"), eachOf(p.Servers, server))))

	return partsDraft(p, names.ServersFile, names.ServerParts, "the MCP servers of the skills, with what is pinned of them",
		servers)
}

func inClient(name string) *jen.Statement { return jen.Qual(names.ClientPath, name) }

// server returns what is known of a server at compile time.
func server(s *ir.Server) jen.Code {
	headers := eachOf(s.Headers, func(h ir.Header) jen.Code { return fieldsOf("Name", h.Name, "Value", h.Value).line() })

	return fieldsOf(
		"Name", s.Name,
		"Command", s.Command,
		"URL", s.URL,
		"Env", s.Env,
		"Headers", wanted(len(headers) > 0, jen.Index().Add(inClient("Header")).Values(headers...)),
		"Protocol", s.Protocol,
		"Tools", listOf(inClient("Tool"), eachOf(s.Tools, serverTool))).braces()
}

func serverTool(tool *ir.Tool) jen.Code {
	name := tool.Name.Value

	return fieldsOf(
		"Spec", jen.Op("&").Id(names.Tool(name)),
		"Remote", tool.Remote,
		"Hints", tool.Hints,
		"CheckOutput", wanted(tool.Output != nil, checkOf(names.ToolOutput(name)))).braces()
}

// emitServerTool emits what is known of a tool of a server, and the Go types of what it takes and gives.
func emitServerTool(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	toolSpec(f, tool)
	emitSchemaTypes(f, names.ToolInput(name), tool.Input)
	emitSchemaTypes(f, names.ToolOutput(name), tool.Output)
}
