package agentmd

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// serverEntry is an entry `mcp: {…}` in the tools of a skill.
type serverEntry struct {
	skill *ir.Skill
	head  *yamldoc.Node
	// at is the span of the server's name, or of the key mcp if the server has the name of the
	// skill.
	at     source.Span
	server *ir.Server
	pin    *lockfile.Server
}

// lowerServer lowers an entry for a server. It unlocks the pinned tools of the server.
func (l *loader) lowerServer(s *ir.Skill, mcp *yamldoc.Field) {
	e := &serverEntry{skill: s, head: mcp.Value, at: mcp.Key.Span}
	if name := frontend.Text(mcp.Value.Value("name")); name.Span.IsValid() {
		e.at = name.Span
	}
	s.Partial = true
	e.server = l.serverOf(s, mcp)
	if e.server == nil {
		return
	}
	e.pin = l.pinOf(e.server)
	if e.pin == nil {
		return
	}
	s.Partial = false
	e.server.Protocol = e.pin.Protocol
	for _, tool := range l.lowerServerTools(e) {
		s.Tools = append(s.Tools, ir.ToolRef{Text: tool.Name, Tool: tool})
	}
}

// serverOf returns the server of an entry, which other entries may name too. It returns nil after a
// mistake.
func (l *loader) serverOf(s *ir.Skill, mcp *yamldoc.Field) *ir.Server {
	if l.IsFaulty(s.File) || !l.checkServerForm(mcp.Value) {
		return nil
	}
	made := &ir.Server{
		Name: frontend.Text(mcp.Value.Value("name")), URL: frontend.Text(mcp.Value.Value("url")).Value,
		Command: serverCommand(mcp.Value), Env: serverVariables(mcp.Value.Value("env")),
	}
	if made.Name.Value == "" {
		made.Name = ir.Text{Value: s.Name.Value, Span: mcp.Key.Span}
	}
	if made.URL == "" && len(made.Command) == 0 {
		l.List.Add(diag.New(diag.MissingField, mcp.Key.Span, "a server has a %q or a %q", "command", "url"))
		return nil
	}
	made.Env = ir.Sorted(made.Env)
	for _, f := range mcp.Value.Value("headers").Members() {
		made.Headers = append(made.Headers, ir.Header{Name: f.Key.Text, Value: frontend.Text(f.Value).Value})
	}
	slices.SortFunc(made.Headers, func(a, b ir.Header) int { return strings.Compare(a.Name, b.Name) })
	declareVariables(s, ir.Map(made.EnvVars(), func(name string) ir.Text { return ir.Text{Value: name, Span: mcp.Key.Span} }))

	return l.addServer(made)
}

// declareVariables adds variables that must be set for the skill.
func declareVariables(s *ir.Skill, vars []ir.Text) {
	for _, name := range vars {
		if !slices.ContainsFunc(s.Env, func(have ir.Text) bool { return have.Value == name.Value }) {
			s.Env = append(s.Env, name)
		}
	}
}

// addServer adds a server to the program, or returns the existing one. It reports two different
// definitions and returns nil.
func (l *loader) addServer(made *ir.Server) *ir.Server {
	first := ir.First(l.Program.Servers, func(s *ir.Server) bool { return s.Name.Value == made.Name.Value })
	if first == nil {
		l.Program.Servers = append(l.Program.Servers, made)
		return made
	}
	difference := firstDifference([]fieldComparison{
		{"url", first.URL == made.URL}, {"command", slices.Equal(first.Command, made.Command)},
		{"env", slices.Equal(first.Env, made.Env)}, {"headers", slices.Equal(first.Headers, made.Headers)},
	})
	if difference != "" {
		l.List.Add(diag.New(diag.DuplicateName, made.Name.Span, "server %q is defined twice, with another %s", made.Name.Value, difference).
			WithHint("give each a name: name: …").Note(first.Name.Span, "the first definition is here"))
		return nil
	}

	return first
}

// fieldComparison is a field of two definitions with the result of their comparison.
type fieldComparison struct {
	name string
	same bool
}

// firstDifference returns the name of the first field that differs, or "".
func firstDifference(fields []fieldComparison) string {
	return ir.First(fields, func(f fieldComparison) bool { return !f.same }).name
}

// notToolRune matches a character in the name of a server's tool that models do not accept.
var notToolRune = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// lowerServerTools returns the tools that an entry unlocks.
func (l *loader) lowerServerTools(e *serverEntry) []*ir.Tool {
	wanted := frontend.Texts(e.head.Value("tools"))
	var tools []*ir.Tool
	for _, pin := range e.pin.Tools {
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(t ir.Text) bool { return t.Value == pin.Name }) {
			continue
		}
		if tool := l.lowerServerTool(e, pin); tool != nil {
			tools = append(tools, tool)
		}
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(e.pin.Tools, func(pin lockfile.Tool) bool { return pin.Name == name.Value }) {
			l.List.Add(unknownServerToolDiagnostic(e, name, wanted))
		}
	}

	return tools
}

func unknownServerToolDiagnostic(e *serverEntry, name ir.Text, wanted []ir.Text) *diag.Diagnostic {
	known := ir.Map(e.pin.Tools, func(pin lockfile.Tool) string { return pin.Name })
	d := diag.New(diag.UndefinedTool, name.Span, "server %q has no tool %q", e.server.Name.Value, name.Value).Suggest(name.Value, known)
	if near, ok := diag.Nearest(name.Value, known); ok && slices.ContainsFunc(wanted, func(t ir.Text) bool { return t.Value == near }) {
		d.Fixes = nil // the list would contain it twice
	}
	if d.Hint == "" {
		d.WithHint("if it has one now, %s", pinHint)
	}

	return d
}

// lowerServerTool lowers a pinned tool, or returns the tool of another entry. It reports a tool
// without a usable name and returns nil.
func (l *loader) lowerServerTool(e *serverEntry, pin lockfile.Tool) *ir.Tool {
	at := e.at
	tool := &ir.Tool{
		Server: e.server, Remote: pin.Name, Hints: pin.Hints,
		Name:        ir.Text{Value: frontend.Text(e.head.Value("prefix")).Value + notToolRune.ReplaceAllString(pin.Name, "_"), Span: at},
		Description: ir.Text{Value: pin.Description, Span: at},
		Input:       schemadoc.ForeignInput(pin.Input, at),
	}
	if pin.Output != nil {
		tool.Output = schemadoc.Foreign(pin.Output, at)
	}
	l.setEffect(tool, e.head)
	if !l.checkServerTool(tool) {
		return nil
	}
	first := addUnlessNamed(tool, &e.server.Tools)
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

// checkServerTool reports a tool of a server without a usable name, and returns whether it has one.
func (l *loader) checkServerTool(tool *ir.Tool) bool {
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

// reportClashingTools reports tools of a server with the name of a typed tool or of another
// server's tool.
func (l *loader) reportClashingTools() {
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

// pins are the pinned servers.
type pins struct {
	// lock is the lock file; nil if it cannot be read.
	lock *lockfile.Lock
	// used are the names of the servers of skills.
	used map[string]bool
	// missing are servers that have been reported as not pinned.
	missing map[*ir.Server]bool
}

// readLock reads the lock file, if there is one.
func (l *loader) readLock() {
	l.pins = pins{lock: &lockfile.Lock{}, used: map[string]bool{}, missing: map[*ir.Server]bool{}}
	if !l.HasFile(lockfile.Name) {
		return
	}
	if source.EscapingLink(l.FS, lockfile.Name) != "" {
		l.ReportStray(frontend.Stray{Path: lockfile.Name, Want: lockfile.Name})
		return
	}
	f := l.ReadFile(lockfile.Name)
	root, findings := yamldoc.ParseJSON(f)
	if foreign := lockfile.CheckFormat(root); foreign != nil {
		findings = append(findings, foreign)
	} else if root != nil {
		findings = append(findings, validate.Document(validate.Lock, root, f)...)
	}
	for _, d := range findings {
		if d.Hint == "" {
			d.WithHint(pinHint)
		}
	}
	l.Report(f, findings)
	l.pins.lock = nil
	if !l.IsFaulty(f) {
		lock, err := lockfile.Parse(f, root)
		l.Fail(err)
		l.pins.lock = lock
	}
}

// pinHint is the command that updates the lock file.
const pinHint = "run agentc mcp pin"

// pinOf returns the pin of a server. It reports a missing or different one and returns nil.
func (l *loader) pinOf(s *ir.Server) *lockfile.Server {
	l.pins.used[s.Name.Value] = true
	if l.pins.lock == nil {
		return nil // the unreadable file has been reported
	}
	pin := l.pins.lock.Servers[s.Name.Value]
	problem := ""
	switch {
	case pin == nil:
		problem = "is not pinned: its tools are unknown"
	case pin.URL != s.URL:
		problem = "is pinned with another url"
	case !slices.Equal(pin.Command, s.Command):
		problem = "is pinned with another command"
	case slices.ContainsFunc(pin.Tools, func(t lockfile.Tool) bool { return !t.IsIntact() }):
		problem = "is pinned with a tool that was edited in " + lockfile.Name
	default:
		return pin
	}
	if !l.pins.missing[s] {
		l.List.Add(diag.New(diag.UnpinnedServer, s.Name.Span, "server %q %s", s.Name.Value, problem).WithHint(pinHint))
	}
	l.pins.missing[s] = true

	return nil
}

// reportUnusedPins reports servers in the lock file that no skill names.
func (l *loader) reportUnusedPins() {
	if l.pins.lock == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(l.pins.lock.Servers)) {
		if !l.pins.used[name] {
			l.List.Add(diag.New(diag.UnusedPin, l.pins.lock.Servers[name].At, "no skill has a server %q", name).WithHint(pinHint))
		}
	}
}
