package agentmd

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/tree"
)

// notToolRune is what the name of a tool at its server may have and what no model takes.
var notToolRune = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// serverTools returns the tools that an entry unlocks.
func (l *loader) serverTools(e *serverEntry) []*ir.Tool {
	wanted := tree.Texts(e.head.Value("tools"))
	var tools []*ir.Tool
	for _, pin := range e.pin.Tools {
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(t ir.Text) bool { return t.Value == pin.Name }) {
			continue
		}
		if tool := l.serverTool(e, pin); tool != nil {
			tools = append(tools, tool)
		}
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(e.pin.Tools, func(pin lockfile.Tool) bool { return pin.Name == name.Value }) {
			l.List.Add(unknownServerTool(e, name, wanted))
		}
	}

	return tools
}

func unknownServerTool(e *serverEntry, name ir.Text, wanted []ir.Text) *diag.Diagnostic {
	known := make([]string, len(e.pin.Tools))
	for i, pin := range e.pin.Tools {
		known[i] = pin.Name
	}
	d := diag.New(diag.UndefinedTool, name.Span, "server %q has no tool %q", e.server.Name.Value, name.Value).Suggest(name.Value, known)
	if near, ok := diag.Nearest(name.Value, known); ok && slices.ContainsFunc(wanted, func(t ir.Text) bool { return t.Value == near }) {
		d.Fixes = nil // the list would have it twice
	}
	if d.Hint == "" {
		d.WithHint("if it has one now, %s", pinHint)
	}

	return d
}

// serverTool makes a tool of what is pinned of it, or returns the one that another entry has made; nil after a report.
func (l *loader) serverTool(e *serverEntry, pin lockfile.Tool) *ir.Tool {
	at := e.at
	tool := &ir.Tool{
		Server: e.server, Remote: pin.Name, Hints: pin.Hints,
		Name:        ir.Text{Value: tree.Text(e.head.Value("prefix")).Value + notToolRune.ReplaceAllString(pin.Name, "_"), Span: at},
		Description: ir.Text{Value: pin.Description, Span: at},
		Input:       schemadoc.ForeignInput(pin.Input, at),
	}
	if pin.Output != nil {
		tool.Output = schemadoc.Foreign(pin.Output, at)
	}
	setEffect(tool, e.head)
	if !l.usableServerTool(tool) {
		return nil
	}
	for _, first := range e.server.Tools {
		if first.Name.Value != tool.Name.Value {
			continue
		}
		if difference := toolDifference(first, tool); first.Remote == tool.Remote && difference != "" {
			l.List.Add(diag.New(diag.DuplicateName, at, "tool %q of server %q is unlocked twice, with a different %s",
				tool.Name.Value, e.server.Name.Value, difference).Note(first.Name.Span, "the first entry is here"))
		} else if first.Remote != tool.Remote {
			l.List.Add(diag.New(diag.DuplicateName, at, "tools %q and %q of server %q would both be called %q",
				first.Remote, tool.Remote, e.server.Name.Value, tool.Name.Value).
				WithHint("list in tools those that you need"))
		}
		return first
	}
	e.server.Tools = append(e.server.Tools, tool)

	return tool
}

// usableServerTool reports whether a tool of a server can have its name; if not, why.
func (l *loader) usableServerTool(tool *ir.Tool) bool {
	name, server := tool.Name.Value, tool.Server.Name.Value
	prefix := "choose a prefix: prefix: " + strings.ReplaceAll(server, "-", "_") + "_"
	switch {
	case slices.Contains(reservedTools, name) || builtin.Tool(name) != "":
		l.List.Add(diag.New(diag.DuplicateName, tool.Name.Span, "server %q has a tool %q, and every program has a tool of that name",
			server, name).WithHint("%s", prefix))
	case !validToolName.MatchString(name):
		l.List.Add(diag.New(diag.InvalidName, tool.Name.Span,
			"tool %q of server %q: models take names of at most 64 letters, digits, _ and -", name, server).
			WithHint("list in tools those that you need"))
	default:
		return true
	}

	return false
}

// clashingTools reports tools of a server that are called like a typed tool, or like one of another server.
func (l *loader) clashingTools() {
	named := map[string]*ir.Tool{}
	for _, tool := range l.Program.Tools {
		named[tool.Name.Value] = tool
	}
	for _, s := range l.Program.Servers {
		slices.SortFunc(s.Tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
		for _, tool := range s.Tools {
			first := named[tool.Name.Value]
			if first == nil {
				named[tool.Name.Value] = tool
				continue
			}
			whose := "a typed tool"
			if first.Server != nil {
				whose = "server " + first.Server.Name.Value
			}
			l.List.Add(diag.New(diag.DuplicateName, tool.Name.Span, "server %q has a tool %q, and so has %s",
				s.Name.Value, tool.Name.Value, whose).
				WithHint("choose a prefix: prefix: %s_", strings.ReplaceAll(s.Name.Value, "-", "_")).
				Note(first.Name.Span, "%q is here", tool.Name.Value))
		}
	}
}
