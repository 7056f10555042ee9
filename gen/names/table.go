package names

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
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
	// FileNames are the files of the folder.
	FileNames Scope = "files"
)

// Identifier is a name of the output package.
type Identifier struct {
	Go    string
	Scope Scope
	// From is the text that the name comes from; the zero Text if the name belongs to every program.
	From ir.Text
	// What says what the text is in the source: "agent", "step", "state", "key", "tool", "function", "skill", "model", "script", "schema";
	// "" for a name that belongs to every program.
	What string
	// Owner is the agent or tool whose name stands before that of the text; the zero Text if none does.
	Owner ir.Text
}

// Table holds every identifier of an output package.
type Table struct {
	all []Identifier
}

// Collision is an identifier, or a file name, that two texts become. First stands first in the ir; its From is the zero
// Text if the name belongs to every program.
type Collision struct {
	First, Second Identifier
}

// Of returns every identifier of the package that p becomes, in the order of the ir, and the collisions among them: each
// pair of texts once.
func Of(p *ir.Program) (*Table, []Collision) {
	t := &Table{all: make([]Identifier, 0, roughly(p))}
	t.fixed()
	for _, a := range p.Agents {
		t.agent(a)
	}
	for _, s := range p.Skills {
		t.add(Package, "skill", s.Name, Skill(s.Name.Value), SkillBody(s.Name.Value))
	}
	for _, tool := range p.Tools {
		t.tool(tool)
	}
	for _, f := range p.Funcs {
		t.function(f)
	}
	for _, m := range p.Models {
		t.add(Package, "model", m.Role, RoleTemperature(m.Role.Value), RoleMaxTokens(m.Role.Value))
	}
	for _, s := range p.Scripts {
		t.add(Package, "script", ir.Text{Value: s.Path}, Script(s.Path))
	}

	return t, t.collisions()
}

// roughly returns about how many identifiers a package has, and rather more than less: growing step by step takes three times
// the memory.
func roughly(p *ir.Program) int {
	n := 100
	for _, a := range p.Agents {
		n += 20
		if m, isMachine := a.Node.(*ir.Machine); isMachine {
			for _, s := range m.States {
				n += 3 + len(s.Rows)
			}
		}
	}

	return n
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
		t.all = append(t.all, Identifier{name, scope, from, what, owner})
	}
}

// fixed are the names that belong to every program, now or in a later version.
func (t *Table) fixed() {
	t.add(Package, "", ir.Text{}, "App", "New", "Tools", "Guards", "Funcs", "Option", "shapeHash", "textHash")
	t.add(Methods, "", ir.Text{}, "Program", "Run", "Route", "tools", "guards", "funcs", "callTool")
	t.add(FileNames, "", ir.Text{}, SharedFile, TestFile)
}

func (t *Table) agent(a *ir.Agent) {
	name := a.Name.Value
	t.add(FileNames, "agent", a.Name, File(name))
	t.add(Methods, "agent", a.Name, Run(name), RunAt(name), Info(name))
	switch n := a.Node.(type) {
	case *ir.Machine:
		t.machine(a.Name, n)
	case *ir.Flow:
		t.flow(a.Name, n)
	case *ir.Workflow:
		t.workflow(a.Name, n)
	}
	for _, s := range a.Conversations() {
		t.conversation(a.Name, s)
	}
}

func (t *Table) machine(agent ir.Text, m *ir.Machine) {
	name := agent.Value
	t.add(Package, "agent", agent,
		StateType(name), KeyType(name), ParseState(name), ParseKey(name), Graph(name), MachineTest(name))
	// What [State], [Place], [Range] and [Key] say, their beginnings being the same for the whole machine: a project has
	// more states than anything else.
	states, places, keys := StateType(name), placesOf(name), KeyType(name)
	ranges := rangesOf("parse" + states)
	for _, s := range m.States {
		part := Part(s.Name.Value)
		t.addBelow(agent, Package, "state", s.Name, states+part, places+part, ranges+part)
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
	t.addBelow(owner, Package, what, from, Spec(of), Model(of), Temperature(of), MaxTokens(of), Prompt(of))
	if output := s.Output(); output != nil {
		t.addBelow(owner, Package, what, from, OutputSchema(of))
		t.schema(from, Output(of), output)
	}
}

func (t *Table) tool(tool *ir.Tool) {
	name := tool.Name.Value
	t.add(ToolMethods, "tool", tool.Name, Method(name))
	t.add(Methods, "tool", tool.Name, CallTool(name))
	t.add(Package, "tool", tool.Name, Tool(name))
	if tool.Input != nil {
		t.add(Package, "tool", tool.Name, ToolInputSchema(name))
		t.schema(tool.Name, ToolInput(name), tool.Input)
	}
	if tool.Output != nil {
		t.add(Package, "tool", tool.Name, ToolOutputSchema(name))
		t.schema(tool.Name, ToolOutput(name), tool.Output)
	}
}

// schema adds the identifiers of a schema. What collides inside one schema is a matter of its own: [SchemaCollisions].
func (t *Table) schema(owner ir.Text, root string, s *ir.Schema) {
	seen := map[string]bool{}
	for _, id := range SchemaIdentifiers(root, s) {
		from := id.From
		if from.Value == "" {
			from = owner
		}
		if !seen[id.Go] {
			t.addBelow(owner, Package, "schema", from, id.Go)
		}
		seen[id.Go] = true
	}
}

// Keys returns the keys of a machine's rows in source order, each text once, at its first place, without the catch-all.
func Keys(m *ir.Machine) []ir.Text {
	var keys []ir.Text
	seen := map[string]bool{ir.CatchAll: true}
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

// collisions finds names that two texts become. Two texts that collide in one name mostly do so in several, and with them
// what belongs to them: each second text is told once, and nothing that follows from its owner.
func (t *Table) collisions() []Collision {
	type place struct {
		scope Scope
		name  string
	}
	type pair struct{ first, second ir.Text }
	first := make(map[place]int, len(t.all)) // indices of all
	collide := map[pair]bool{}
	told := map[ir.Text]bool{}
	var found []Collision
	for i, id := range t.all {
		at := place{id.Scope, id.Go}
		earlier, taken := first[at]
		if !taken {
			first[at] = i
			continue
		}
		before := t.all[earlier]
		follows := collide[pair{before.Owner, id.Owner}]
		collide[pair{before.From, id.From}] = true
		if follows || told[id.From] {
			continue
		}
		told[id.From] = true
		found = append(found, Collision{First: before, Second: id})
	}

	return found
}
