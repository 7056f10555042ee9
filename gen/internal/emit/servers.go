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
			f.Add(comment(names.ServerParts + " returns the MCP servers of the skills, with what is pinned of them. This file is replaced where a " +
				"program is built for scripts alone."))
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
	l := &fields{}
	l.set("Spec", jen.Op("&").Id(names.Tool(name)))
	l.set("Remote", jen.Lit(tool.Remote))
	l.texts("Hints", tool.Hints)
	if tool.Output != nil {
		l.set("CheckOutput", checkOf(names.ToolOutput(name)))
	}

	return l.braces()
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
