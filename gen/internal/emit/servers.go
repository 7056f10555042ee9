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

	return &draft{
		name: names.ServersFile, source: everything, sourceHash: sourceHash(sourcesOf(p)...),
		fill: func(f *jen.File) {
			var servers []jen.Code
			for _, s := range p.Servers {
				servers = append(servers, server(s))
			}
			f.Add(comment(names.ServerParts + " are the MCP servers of the skills, with what is pinned of them. They stand in a file of " +
				"their own, so that a program whose answers come from a script can be built without them."))
			f.Func().Id(names.ServerParts).Params().Index().Add(in("Part")).Block(
				jen.Return(jen.Index().Add(in("Part")).Values(jen.Qual(names.ClientPath, "Part").Values(
					jen.Id("Servers").Op(":").Index().Add(inClient("Server")).Custom(block, servers...)))))
		},
	}
}

func inClient(name string) *jen.Statement { return jen.Qual(names.ClientPath, name) }

// server returns what is known of a server at compile time.
func server(s *ir.Server) jen.Code {
	l := &fields{}
	l.set("Name", jen.Lit(s.Name.Value))
	l.texts("Command", s.Command)
	l.text("URL", s.URL)
	l.texts("Env", s.Env)
	if len(s.Headers) > 0 {
		var headers []jen.Code
		for _, h := range s.Headers {
			headers = append(headers, jen.Values(jen.Id("Name").Op(":").Lit(h.Name), jen.Id("Value").Op(":").Lit(h.Value)))
		}
		l.set("Headers", jen.Index().Add(inClient("Header")).Values(headers...))
	}
	l.text("Protocol", s.Protocol)
	if len(s.Tools) > 0 {
		var tools []jen.Code
		for _, tool := range s.Tools {
			tools = append(tools, serverTool(tool))
		}
		l.set("Tools", jen.Index().Add(inClient("Tool")).Custom(block, tools...))
	}

	return l.braces()
}

func serverTool(tool *ir.Tool) jen.Code {
	name := tool.Name.Value

	return jen.ValuesFunc(func(g *jen.Group) {
		g.Id("Spec").Op(":").Op("&").Id(names.Tool(name))
		g.Id("Remote").Op(":").Lit(tool.Remote)
		if len(tool.Hints) > 0 {
			g.Id("Hints").Op(":").Index().String().Values(list(literals(tool.Hints)))
		}
		if tool.Output != nil {
			g.Id("CheckOutput").Op(":").Add(checkOf(names.ToolOutput(name)))
		}
	})
}

// emitServerTool emits what is known of a tool of a server, and the Go types of what it takes and gives.
func emitServerTool(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	toolSpec(f, tool)
	emitSchemaTypes(f, names.ToolInput(name), tool.Input)
	if tool.Output != nil {
		emitSchemaTypes(f, names.ToolOutput(name), tool.Output)
	}
}

// withServers adds the servers to the other parts of a program, which may be nil.
func withServers(p *ir.Program, others jen.Code) jen.Code {
	servers := jen.Id(names.ServerParts).Call()
	switch {
	case len(p.Servers) == 0:
		return others
	case others == nil:
		return servers
	}

	return jen.Append(others, servers.Op("..."))
}
