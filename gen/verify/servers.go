package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// servers compares the file of the MCP servers, imports and all: how each is reached, with what it is trusted, and which of its tools
// are pinned. There is none if no skill has a server.
func servers(p *ir.Program, files map[string]*emit.File) error {
	f := files[names.ServersFile]
	switch {
	case len(p.Servers) == 0:
		return absentFile(p, files, names.ServersFile)
	case f == nil:
		return &MismatchError{Machine: allAgents, Where: names.ServersFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: allAgents}
	var all []string
	for _, s := range p.Servers {
		all = append(all, serverText(s))
	}
	r.same("the imports", []string{"github.com/agentc-dev/agentc/runtime", names.ClientPath}, d.imports)
	r.writtenFunc(names.ServerParts, "func "+names.ServerParts+
		"() []runtime.Part { return []runtime.Part{client.Part{Servers: []client.Server{"+strings.Join(all, ", ")+"}}} }")

	return r.err
}

func serverText(s *ir.Server) string {
	fields := []string{"Name: " + strconv.Quote(s.Name.Value)}
	add := func(is bool, name, value string) {
		if is {
			fields = append(fields, name+": "+value)
		}
	}
	add(len(s.Command) > 0, "Command", textList(s.Command))
	add(s.URL != "", "URL", strconv.Quote(s.URL))
	add(len(s.Env) > 0, "Env", textList(s.Env))
	var headers, tools []string
	for _, h := range s.Headers {
		headers = append(headers, "{Name: "+strconv.Quote(h.Name)+", Value: "+strconv.Quote(h.Value)+"}")
	}
	add(len(headers) > 0, "Headers", "[]client.Header{"+strings.Join(headers, ", ")+"}")
	add(s.Protocol != "", "Protocol", strconv.Quote(s.Protocol))
	for _, tool := range s.Tools {
		tools = append(tools, serverToolText(tool))
	}
	add(len(tools) > 0, "Tools", "[]client.Tool{"+strings.Join(tools, ", ")+"}")

	return "{" + strings.Join(fields, ", ") + "}"
}

func serverToolText(tool *ir.Tool) string {
	name := tool.Name.Value
	text := "{Spec: &" + names.Tool(name) + ", Remote: " + strconv.Quote(tool.Remote)
	if len(tool.Hints) > 0 {
		text += ", Hints: " + textList(tool.Hints)
	}
	if tool.Output != nil {
		text += ", CheckOutput: check" + names.ToolOutput(name)
	}

	return text + "}"
}

// withServers adds the servers to the other parts of a program, which may be "".
func withServers(p *ir.Program, others string) string {
	servers := names.ServerParts + "()"
	switch {
	case len(p.Servers) == 0:
		return others
	case others == "":
		return servers
	}

	return "append(" + others + ", " + servers + "...)"
}
