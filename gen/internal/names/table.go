package names

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Scope is where an identifier has to be the only one of its name.
type Scope string

// The scopes of an output package.
const (
	// Package is the package block.
	Package Scope = "package"
	// Methods are the methods and fields of App.
	Methods Scope = "App"
	// ToolMethods are the methods of Tools.
	ToolMethods Scope = "Tools"
	// GuardMethods are the methods of Guards.
	GuardMethods Scope = "Guards"
	// FileNames are the files of the folder.
	FileNames Scope = "files"
)

// Identifier is a name of the output package.
type Identifier struct {
	Go    string
	Scope Scope
	// From is the text that the name comes from; the zero Text if the name belongs to every program.
	From ir.Text
	// What says what the text is in the source: "agent", "step", "state", "key", "tool", "function", "skill", "guard",
	// "script", "recording", "schema", "branch"; for a schema itself whose it is, such as "output of agent"; "" for a name that
	// belongs to every program.
	What string
	// Owner is the agent or tool whose name is before that of the text; the zero Text if none does.
	Owner ir.Text
}

// Table holds every identifier of an output package.
type Table struct {
	all []Identifier
	// keep is what add does with an identifier.
	keep func(Identifier)
}

// Of returns every identifier of the package that p becomes, in the order of the ir, and the collisions among them: each
// pair of texts once.
func Of(p *ir.Program) (*Table, []Collision) {
	t := &Table{}
	t.keep = func(id Identifier) { t.all = append(t.all, id) }
	t.program(p)

	return t, t.collisions()
}

// program adds all identifiers in the order of the ir.
func (t *Table) program(p *ir.Program) {
	t.fixed()
	if len(Openers(p)) > 0 { // else the name is free: a project may have an agent called providers
		t.add(FileNames, "", ir.Text{}, ProvidersFile)
	}
	if len(p.Recordings) > 0 {
		t.add(FileNames, "", ir.Text{}, RecordingsFile)
	}
	for _, a := range p.Agents {
		t.agent(a)
	}
	for _, s := range p.Skills {
		t.add(Package, "skill", s.Name, Skill(s.Name.Value), SkillBody(s.Name.Value))
		for i := range s.Files {
			t.add(Package, "skill", s.Name, SkillFile(s.Name.Value, i))
		}
	}
	for _, tool := range p.Tools {
		t.tool(tool)
	}
	if len(p.Servers) > 0 { // else the name is free, as that of the providers' file is
		t.add(FileNames, "", ir.Text{}, ServersFile)
	}
	for _, server := range p.Servers {
		for _, tool := range server.Tools {
			t.toolTypes(tool)
		}
	}
	for _, guard := range p.Guards {
		t.add(GuardMethods, "guard", guard.Name, Method(guard.Name.Value))
	}
	for _, f := range p.Funcs {
		t.function(f)
	}
	for _, s := range p.Scripts {
		t.add(Package, "script", ir.Text{Value: s.Path}, Script(s.Path))
	}
	for _, r := range p.Recordings {
		t.add(Package, "recording", ir.Text{Value: r.Path}, Recording(r.Path))
	}
}

// Identifiers returns all identifiers in the order of the ir.
func (t *Table) Identifiers() []Identifier { return slices.Clone(t.all) }

// Has reports whether a scope holds an identifier.
func (t *Table) Has(scope Scope, name string) bool {
	return slices.ContainsFunc(t.all, func(id Identifier) bool { return id.Scope == scope && id.Go == name })
}

func (t *Table) add(scope Scope, what string, from ir.Text, names ...string) {
	t.addBelow(ir.Text{}, scope, what, from, names...)
}

func (t *Table) addBelow(owner ir.Text, scope Scope, what string, from ir.Text, names ...string) {
	for _, name := range names {
		t.keep(Identifier{name, scope, from, what, owner})
	}
}

// fixedMethods are the methods and fields that each App has, now or in a later version.
var fixedMethods = []string{"Program", "Run", "Route", "Routed", "tools", "guards", "funcs", "routes", "callTool", FuncByName}

// fixed are the names that belong to every program, now or in a later version.
func (t *Table) fixed() {
	t.add(Package, "", ir.Text{},
		"App", "New", "Tools", "Guards", "Funcs", "Option", "shapeHash", "textHash", NamedGuards, ProviderParts, ServerParts)
	t.add(Methods, "", ir.Text{}, fixedMethods...)
	t.add(FileNames, "", ir.Text{}, SharedFile, TestFile)
}

func (t *Table) agent(a *ir.Agent) {
	name := a.Name.Value
	t.add(FileNames, "agent", a.Name, File(name))
	t.add(Methods, "agent", a.Name, Run(name), Entry(name), Info(name))
	switch n := a.Node.(type) {
	case *ir.Machine:
		t.machine(a.Name, n)
	case *ir.React:
		if n.Gate != nil {
			t.machine(a.Name, n.Gate.Machine)
		}
	case *ir.Flow:
		t.flow(a.Name, n)
	case *ir.Workflow:
		t.workflow(a.Name, n)
	}
	if a.Budget != nil {
		t.add(Package, "agent", a.Name, Budget(name))
	}
	for _, s := range a.Conversations() {
		t.conversation(a.Name, s)
	}
}

func (t *Table) machine(agent ir.Text, m *ir.Machine) {
	name := agent.Value
	t.add(Package, "agent", agent,
		StateType(name), KeyType(name), ParseState(name), StateNames(name), KeyLists(name), Graph(name), MachineTest(name))
	t.live(agent)
	// What [State], [Place] and [Key] say, their beginnings being the same for the whole machine: a project has
	// more states than anything else.
	states, places, keys := StateType(name), placesOf(name), KeyType(name)
	for _, s := range m.States {
		part := Part(s.Name.Value)
		t.addBelow(agent, Package, "state", s.Name, states+part, places+part)
	}
	for _, key := range Keys(m) {
		t.addBelow(agent, Package, "key", key, keys+Part(key.Value))
	}
}

// flow adds the identifiers of a flow, but for those of its steps.
func (t *Table) flow(agent ir.Text, f *ir.Flow) {
	t.add(Package, "agent", agent, Graph(agent.Value))
	places := map[string]bool{}
	ir.Walk(f.Body, func(op ir.Op) {
		if r, isRun := op.(*ir.Run); isRun && r.At.Kind == ir.PlaceOpen && !places[r.At.State] {
			places[r.At.State] = true
			t.add(Package, "agent", agent, Place(agent.Value, r.At.State))
		}
	})
}

// conversation adds the identifiers of an agent's own conversation, or of a step.
func (t *Table) conversation(agent ir.Text, s *ir.Step) {
	what, from, owner := "agent", agent, ir.Text{}
	if s.Name.Value != "" {
		what, from, owner = "step", s.Name, agent
	}
	of := s.Label(agent.Value)
	t.addBelow(owner, Package, what, from, Spec(of), Prompt(of))
	if output := s.Output(); output != nil {
		t.addBelow(owner, Package, what, from, OutputSchema(of))
		t.schema("output of "+what, from, Output(of), output)
	}
}

func (t *Table) tool(tool *ir.Tool) {
	name := tool.Name.Value
	t.add(ToolMethods, "tool", tool.Name, Method(name))
	t.toolTypes(tool)
}

// toolTypes adds what every tool has that is no built-in one.
func (t *Table) toolTypes(tool *ir.Tool) {
	name := tool.Name.Value
	t.add(Package, "tool", tool.Name, Tool(name))
	if tool.Input != nil {
		t.add(Package, "tool", tool.Name, ToolInputSchema(name))
		t.schema("input of tool", tool.Name, ToolInput(name), tool.Input)
	}
	if tool.Output != nil {
		t.add(Package, "tool", tool.Name, ToolOutputSchema(name))
		t.schema("output of tool", tool.Name, ToolOutput(name), tool.Output)
	}
}

// schema adds the identifiers of a schema; what says whose it is. What collides inside one schema is a matter of its own:
// [SchemaCollisions].
func (t *Table) schema(what string, owner ir.Text, root string, s *ir.Schema) {
	seen := map[string]bool{}
	for _, id := range SchemaIdentifiers(root, s) {
		from, is := id.From, "schema"
		if from.Value == "" {
			from, is = owner, what
		}
		if !seen[id.Go] {
			t.addBelow(owner, Package, is, from, id.Go)
		}
		seen[id.Go] = true
	}
}

// Keys returns the keys of a machine's rows in source order, each text once, at its first place, without the catch-all.
func Keys(m *ir.Machine) []ir.Text {
	rows := 0
	for _, s := range m.States {
		rows += len(s.Rows)
	}
	keys, seen := make([]ir.Text, 0, rows), make(map[string]bool, rows+1)
	seen[ir.CatchAll] = true
	for _, s := range m.States {
		for _, row := range s.Rows {
			if !seen[row.Key.Value] {
				keys = append(keys, row.Key)
			}
			seen[row.Key.Value] = true
		}
	}

	return keys
}
