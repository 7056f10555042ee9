package agentmd

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// serverEntry is an entry `mcp: {…}` of a skill's tools.
type serverEntry struct {
	skill *ir.Skill
	head  *yamldoc.Node
	// at is where the server is named, or the key of an entry that leaves that to the skill's name.
	at     source.Span
	server *ir.Server
	pin    *lockfile.Server
}

// toolServer lowers an entry of a skill for a server: the tools that it unlocks are those that are pinned.
func (l *loader) toolServer(s *ir.Skill, mcp *yamldoc.Field) {
	e := &serverEntry{skill: s, head: mcp.Value, at: mcp.Key.Span}
	if name := tree.Text(mcp.Value.Value("name")); name.Span.IsValid() {
		e.at = name.Span
	}
	s.Partial = true
	if e.server = l.server(s, mcp); e.server == nil || l.IsFaulty(s.File) {
		return
	}
	if e.pin = l.pinned(e.server); e.pin == nil {
		return
	}
	s.Partial = false
	e.server.Protocol = e.pin.Protocol
	for _, tool := range l.serverTools(e) {
		s.Tools = append(s.Tools, ir.ToolRef{Text: tool.Name, Tool: tool})
	}
}

// server returns the server of an entry, which other entries may have named before; nil if there is none.
func (l *loader) server(s *ir.Skill, mcp *yamldoc.Field) *ir.Server {
	made := &ir.Server{
		Name: tree.Text(mcp.Value.Value("name")), URL: tree.Text(mcp.Value.Value("url")).Value,
		Command: values(tree.Texts(mcp.Value.Value("command"))), Env: values(tree.Texts(mcp.Value.Value("env"))),
	}
	if made.Name.Value == "" {
		made.Name = ir.Text{Value: s.Name.Value, Span: mcp.Key.Span}
	}
	if made.URL == "" && len(made.Command) == 0 {
		if !l.IsFaulty(s.File) {
			l.List.Add(diag.New(diag.MissingField, mcp.Key.Span, "a server has a %q or a %q", "command", "url"))
		}
		return nil
	}
	slices.Sort(made.Env)
	made.Env = slices.Compact(made.Env)
	vars := slices.Clone(made.Env)
	for _, f := range mcp.Value.Value("headers").Members() {
		value := tree.Text(f.Value).Value
		made.Headers = append(made.Headers, ir.Header{Name: f.Key.Text, Value: value})
		vars = append(vars, variablesOf(value)...)
	}
	slices.SortFunc(made.Headers, func(a, b ir.Header) int { return strings.Compare(a.Name, b.Name) })
	declare(s, vars, mcp)

	return l.sameServer(made)
}

// declare adds variables that a server needs to those that the skill says must be set.
func declare(s *ir.Skill, vars []string, mcp *yamldoc.Field) {
	for _, name := range vars {
		if !slices.ContainsFunc(s.Env, func(have ir.Text) bool { return have.Value == name }) {
			s.Env = append(s.Env, ir.Text{Value: name, Span: mcp.Key.Span})
		}
	}
}

// inHeader is how a header names a variable; with a dollar more before it, it is itself.
var inHeader = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

func variablesOf(header string) []string {
	var names []string
	for _, found := range inHeader.FindAllString(header, -1) {
		if name, ok := strings.CutPrefix(found, "${"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}

	return names
}

// sameServer adds a server to the program, or returns the one that is there already.
func (l *loader) sameServer(made *ir.Server) *ir.Server {
	for _, first := range l.Program.Servers {
		if first.Name.Value != made.Name.Value {
			continue
		}
		if difference := serverDifference(first, made); difference != "" {
			l.List.Add(diag.New(diag.DuplicateName, made.Name.Span, "server %q is defined twice, with another %s", made.Name.Value, difference).
				WithHint("give each a name: name: …").Note(first.Name.Span, "the first definition is here"))
			return nil
		}
		return first
	}
	l.Program.Servers = append(l.Program.Servers, made)

	return made
}

// serverDifference names the first field in which two definitions of a server differ; "" if they are alike.
func serverDifference(a, b *ir.Server) string {
	return firstOther([]field{
		{"url", a.URL == b.URL}, {"command", slices.Equal(a.Command, b.Command)},
		{"env", slices.Equal(a.Env, b.Env)}, {"headers", slices.Equal(a.Headers, b.Headers)},
	})
}

// field is a field of two definitions, and whether they have the same in it.
type field struct {
	name string
	same bool
}

// firstOther names the first field in which two definitions differ; "" if they are alike.
func firstOther(fields []field) string {
	for _, f := range fields {
		if !f.same {
			return f.name
		}
	}

	return ""
}

func values(texts []ir.Text) []string {
	var all []string
	for _, t := range texts {
		all = append(all, t.Value)
	}

	return all
}
