package names

import (
	"hash/maphash"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Scope is where an identifier must be unique.
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
	// From is the text from which the name is made. It is the zero Text for a name of every
	// program.
	From ir.Text
	// What is the kind of From in the source: "agent", "step", "state", "key", "tool", "function",
	// "skill", "guard", "script", "recording", "schema", "branch" or [Renamed]. For a schema itself
	// it also has the owner, as in "output of agent". It is "" for a name of every program.
	What string
	// Owner is the agent or tool whose name precedes the text, or the zero Text.
	Owner ir.Text
}

// table holds every identifier of an output package.
type table struct {
	all []Identifier
	// keep receives each identifier that is added.
	keep func(Identifier)
	// final holds the final keys of the agents.
	final *ir.FinalKeys
}

// Of returns every identifier of the package that is generated from p, in the order of the ir. It
// also returns the collisions among them, one for each pair of texts.
func Of(p *ir.Program) ([]Identifier, []Collision) {
	t := &table{}
	t.keep = func(id Identifier) { t.all = append(t.all, id) }
	t.addProgram(p)

	return t.all, t.findCollisions()
}

// addProgram adds all identifiers in the order of the ir. Names that every program has, now or in a
// later version, come first.
func (t *table) addProgram(p *ir.Program) {
	t.final = ir.FinalKeysOf(p.Agents...)
	t.addFixed(p)
	t.add(Package, "", ir.Text{}, "Option", "shapeHash", "textHash", NamedGuards, Providers, ServerParts)
	t.add(Methods, "", ir.Text{}, fixedMethods...)
	t.add(FileNames, "", ir.Text{}, SharedFile, TestFile)
	// Without openers the name is free: a project may have an agent called providers.
	if len(Openers(p)) > 0 {
		t.add(FileNames, "", ir.Text{}, ProvidersFile)
	}
	if len(p.Recordings) > 0 {
		t.add(FileNames, "", ir.Text{}, RecordingsFile)
	}
	for _, a := range p.Agents {
		t.addAgent(a)
	}
	for _, s := range p.Skills {
		t.add(Package, "skill", s.Name, Skill(s.Name.Value), SkillBody(s.Name.Value))
		for i := range s.Files {
			t.add(Package, "skill", s.Name, SkillFile(s.Name.Value, i))
		}
	}
	for _, tool := range p.Tools {
		t.addTool(tool)
	}
	// Without servers the name is free too.
	if len(p.Servers) > 0 {
		t.add(FileNames, "", ir.Text{}, ServersFile)
	}
	for _, server := range p.Servers {
		for _, tool := range server.Tools {
			t.addToolTypes(tool)
		}
	}
	for _, guard := range p.Guards {
		t.add(GuardMethods, "guard", guard.Name, Method(guard.Name.Value))
	}
	for _, f := range p.Funcs {
		t.addFunction(f)
	}
	for _, s := range p.Scripts {
		t.add(Package, "script", ir.Text{Value: s.Path}, Script(s.Path))
	}
	for _, r := range p.Recordings {
		t.add(Package, "recording", ir.Text{Value: r.Path}, Recording(r.Path))
	}
	t.addRenamed(p)
}

func (t *table) add(scope Scope, what string, from ir.Text, names ...string) {
	t.addBelow(ir.Text{}, scope, what, from, names...)
}

func (t *table) addBelow(owner ir.Text, scope Scope, what string, from ir.Text, names ...string) {
	for _, name := range names {
		t.keep(Identifier{name, scope, from, what, owner})
	}
}

// fixedMethods are the methods and fields of every App, now or in a later version.
var fixedMethods = []string{"Program", "Run", "Routes", "tools", "guards", "funcs", "routes", "callTool", FuncByName}

func (t *table) addAgent(a *ir.Agent) {
	name := a.Name.Value
	t.add(FileNames, "agent", a.Name, File(name))
	t.add(Methods, "agent", a.Name, Run(name), Entry(name), Info(name))
	switch n := a.Node.(type) {
	case *ir.Machine:
		t.addMachine(a.Name, n)
	case *ir.React:
		if n.Gate != nil {
			t.addMachine(a.Name, n.Gate.Machine)
		}
	case *ir.Flow:
		if n.IsWorkflow() {
			t.addWorkflow(a.Name, n)
		} else {
			t.addFlow(a.Name, n)
		}
	}
	t.addFinalKeys(a)
	if a.Budget != nil {
		t.add(Package, "agent", a.Name, Budget(name))
	}
	for _, s := range a.Conversations() {
		t.addConversation(a.Name, s)
	}
}

func (t *table) addMachine(agent ir.Text, m *ir.Machine) {
	name := agent.Value
	t.add(Package, "agent", agent,
		StateType(name), KeyType(name), ParseState(name), StateNames(name), StateIndex(name), KeyLists(name), Graph(name),
		MachineTest(name), LiveMachine(name), NewLive(name), LiveSpec(name))
	// These are the names from [State], [Place] and [Key]. Their prefixes are computed once for the
	// machine, because a project has more states than anything else.
	states, places, keys := StateType(name), placesPrefix(name), KeyType(name)
	for _, s := range m.States {
		part := Part(s.Name.Value)
		t.addBelow(agent, Package, "state", s.Name, states+part, places+part)
	}
	for _, key := range Keys(m) {
		t.addBelow(agent, Package, "key", key, keys+Part(key.Value))
	}
}

// addFinalKeys adds the constants of final keys that no row of an agent has. It adds their type if
// there is no machine that has it.
func (t *table) addFinalKeys(a *ir.Agent) {
	typed := t.final.TypedKeys(a)
	if typed == nil {
		return
	}
	name := a.Name.Value
	t.add(Package, "agent", a.Name, FinalKeys(name))
	if a.MachineOf() == nil {
		t.add(Package, "agent", a.Name, KeyType(name))
	}
	_, beside := FinalConstants(a, typed)
	for _, key := range beside {
		t.addBelow(a.Name, Package, "key", key, Key(name, key.Value))
	}
}

// FinalConstants returns the constants for typed, the typed final keys of an agent. beside are the
// keys whose constants no row of its machine has.
func FinalConstants(a *ir.Agent, typed []ir.Text) (constants []string, beside []ir.Text) {
	routed := map[string]string{}
	if m := a.MachineOf(); m != nil {
		for _, key := range Keys(m) {
			if folded := ir.FoldKey(key.Value); routed[folded] == "" {
				routed[folded] = Key(a.Name.Value, key.Value)
			}
		}
	}
	for _, key := range typed {
		constant := routed[ir.FoldKey(key.Value)]
		if constant == "" {
			constant = Key(a.Name.Value, key.Value)
			beside = append(beside, key)
		}
		constants = append(constants, constant)
	}

	return constants, beside
}

// addFlow adds the identifiers of a flow, without its steps.
func (t *table) addFlow(agent ir.Text, f *ir.Flow) {
	t.add(Package, "agent", agent, Graph(agent.Value))
	places := map[string]bool{}
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		if r, isRun := op.(*ir.Run); isRun && r.At.Kind == ir.PlaceOpen && !places[r.At.State] {
			places[r.At.State] = true
			t.add(Package, "agent", agent, Place(agent.Value, r.At.State))
		}
	})
}

// addConversation adds the identifiers of an agent's own conversation, or of a step.
func (t *table) addConversation(agent ir.Text, s *ir.Step) {
	what, from, owner := "agent", agent, ir.Text{}
	if s.Name.Value != "" {
		what, from, owner = "step", s.Name, agent
	}
	of := s.Label(agent.Value)
	t.addBelow(owner, Package, what, from, Spec(of), Prompt(of))
	if output := s.Output(); output != nil {
		t.addBelow(owner, Package, what, from, OutputSchema(of))
		t.addSchema("output of "+what, from, Output(of), output)
	}
}

func (t *table) addTool(tool *ir.Tool) {
	name := tool.Name.Value
	t.add(ToolMethods, "tool", tool.Name, Method(name))
	t.addToolTypes(tool)
}

// addToolTypes adds the identifiers that every tool has unless it is built in.
func (t *table) addToolTypes(tool *ir.Tool) {
	name := tool.Name.Value
	t.add(Package, "tool", tool.Name, Tool(name))
	if tool.Input != nil {
		t.add(Package, "tool", tool.Name, ToolInputSchema(name))
		t.addSchema("input of tool", tool.Name, ToolInput(name), tool.Input)
	}
	if tool.Output != nil {
		t.add(Package, "tool", tool.Name, ToolOutputSchema(name))
		t.addSchema("output of tool", tool.Name, ToolOutput(name), tool.Output)
	}
}

// addSchema adds the identifiers of a schema. what names its owner. [SchemaCollisions] reports
// collisions inside the schema.
func (t *table) addSchema(what string, owner ir.Text, root string, s *ir.Schema) {
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

// Keys returns the keys in a machine's rows in source order, without the catch-all. It returns each
// text once, at its first position.
func Keys(m *ir.Machine) []ir.Text {
	rows := m.Rows()
	keys, seen := make([]ir.Text, 0, len(rows)), make(map[string]bool, len(rows)+1)
	seen[ir.CatchAll] = true
	for _, row := range rows {
		if !seen[row.Key.Value] {
			keys = append(keys, row.Key)
		}
		seen[row.Key.Value] = true
	}

	return keys
}

// FuncMethods are the methods of Funcs.
const FuncMethods Scope = "Funcs"

// RunMethods are the methods and fields of the type of a workflow's run.
func RunMethods(workflow string) Scope { return Scope(RunType(workflow)) }

// StepFields are the fields with the outputs of the steps of a workflow.
func StepFields(workflow string) Scope { return Scope(StepsType(workflow)) }

// addWorkflow adds the identifiers of a workflow, without its agents.
func (t *table) addWorkflow(agent ir.Text, w *ir.Flow) {
	name := agent.Value
	t.add(Package, "agent", agent, RunType(name), StepsType(name), Graph(name))
	t.add(Methods, "agent", agent, RunWith(name), NewRun(name))
	t.add(RunMethods(name), "", ir.Text{}, "Run", "app", "context", "steps", AllSteps)
	if w.Context != nil {
		t.add(Package, "agent", agent, ContextSchema(name))
		t.addSchema("context of workflow", agent, Context(name), w.Context)
	}
	if input := w.InputSchema(); input != nil {
		t.add(Package, "agent", agent, WorkflowInputSchema(name))
		t.addSchema("input of workflow", agent, WorkflowInput(name), input)
	}
	if output := w.OutputSchema(); output != nil {
		t.addSchema("output of workflow", agent, Output(name), output)
	}
	for _, output := range w.Outputs {
		t.addBelow(agent, StepFields(name), "step", output.Name, StepField(output.Name.Value))
	}
	for _, a := range w.Conversations {
		t.addBelow(agent, RunMethods(name), "step", a.Name, AskAgent(a.Name.Value))
	}
	t.addPipelines(agent, w)
	t.addAnswers(agent, w)
	t.addLoopStates(w)
}

// addLoopStates adds the types of the variables of loops.
func (t *table) addLoopStates(w *ir.Flow) {
	known := map[*ir.Output]bool{}
	for _, loop := range ir.OpsOf[*ir.Loop](w.Body.Ops()) {
		if loop.State != nil && !known[loop.State] {
			known[loop.State] = true
			t.addSchema("variables of loop", loop.State.Name, TypeOf(loop.State.Type), loop.State.Type.Schema)
		}
	}
}

// addPipelines adds the methods that run pipelines and steps, and the identifiers of machines.
func (t *table) addPipelines(agent ir.Text, w *ir.Flow) {
	scope := RunMethods(agent.Value)
	named := map[*ir.Pipeline]pipelineName{}
	ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
		name, has := named[p]
		if !has {
			name = pipelineName{agent, "step", ir.Text{Value: p.Description, Span: p.Span}}
		}
		t.addBelow(name.owner, scope, name.what, name.from, Pipeline(p))
		for _, task := range p.Tasks {
			for ; task != nil; task = task.Fallback {
				t.addWork(agent, p, task)
				nameInside(named, agent, task)
			}
		}
	})
}

// pipelineName is the text from which a pipeline's name is made, with its kind and its owner.
type pipelineName struct {
	owner ir.Text
	what  string
	from  ir.Text
}

// nameInside records in named the texts from which the names of a step's pipelines are made. If a
// step or a state collides, its pipeline is not reported again.
func nameInside(named map[*ir.Pipeline]pipelineName, agent ir.Text, task *ir.Task) {
	arms := func(arms []*ir.Arm) {
		for _, arm := range arms {
			named[arm.Body] = pipelineName{task.Name, "branch", arm.Name}
		}
	}
	switch do := task.Do.(type) {
	case *ir.Branch:
		arms(do.Branches)
	case *ir.Parallel:
		arms(do.Branches)
	case *ir.Loop:
		named[do.Body] = pipelineName{agent, "step", task.Name}
	case *ir.Machine:
		for _, s := range do.States {
			named[s.Body] = pipelineName{agent, "state", s.Name}
		}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no pipelines
	}
}

// addWork adds the identifiers for the work of a step or of its fallback.
func (t *table) addWork(agent ir.Text, p *ir.Pipeline, task *ir.Task) {
	step := task.Name.Value
	if m, isMachine := task.Do.(*ir.Machine); isMachine {
		name := Machine(agent.Value, p, step)
		t.addBelow(agent, Package, "step", task.Name,
			StateType(name), StateNames(name), StateIndex(name), ParseState(name), Rows(name), MachineTest(name))
		for _, s := range m.States {
			t.addBelow(agent, Package, "state", s.Name, State(name, s.Name.Value))
		}
	}
	for _, verb := range VerbsOf(task.Do) {
		t.addBelow(agent, RunMethods(agent.Value), "step", task.Name, Work(verb, p, step))
	}
}

// addAnswers adds the types of people's answers. Equal schemas under one name are added once.
func (t *table) addAnswers(agent ir.Text, w *ir.Flow) {
	known := map[string]string{}
	ir.WalkTasks(w.Body, func(task *ir.Task) {
		ask, asks := task.Do.(*ir.Ask)
		if !asks || ask.Answer.Schema == nil || known[ask.Answer.OwnerName] == ask.Answer.Schema.JSON {
			return
		}
		known[ask.Answer.OwnerName] = ask.Answer.Schema.JSON
		t.addBelow(agent, Package, "step", task.Name, AnswerSpec(ask.Answer.OwnerName), AnswerSchema(ask.Answer.OwnerName))
		t.addSchema("answer of step", task.Name, Answer(ask.Answer.OwnerName), ask.Answer.Schema)
	})
}

// addFunction adds the identifiers of a function.
func (t *table) addFunction(f *ir.Func) {
	name := f.Name.Value
	t.add(FuncMethods, "function", f.Name, Method(name))
	t.add(Methods, "function", f.Name, ApplyFunc(name))
	t.add(Package, "function", f.Name, FuncSpec(name))
	if f.Input != nil {
		t.addSchema("input of function", f.Name, FuncArgs(name), f.Input)
	}
	if f.Context != nil {
		t.addSchema("context of function", f.Name, FuncContext(name), f.Context)
	}
	if f.Output != nil {
		t.addSchema("output of function", f.Name, FuncResult(name), f.Output)
	}
}

// Collision is an identifier or a file name that two texts share. First comes first in the ir. Its
// From is the zero Text if every program has the name.
type Collision struct {
	First, Second Identifier
}

// Collisions returns the second result of [Of].
func Collisions(p *ir.Program) []Collision {
	if areDistinct(p) {
		return nil
	}
	_, found := Of(p)

	return found
}

// areDistinct reports whether all identifiers differ, as they nearly always do. It keeps only a
// hash of each, because a table of a large project takes much memory. If two hashes are equal by
// accident, the only cost is a table.
func areDistinct(p *ir.Program) bool {
	seed := maphash.MakeSeed()
	hashes := make([]uint64, 0, 64*len(p.Agents)) // roughly the identifiers of an agent
	t := &table{keep: func(id Identifier) { hashes = append(hashes, maphash.Comparable(seed, scopedName{id.Scope, id.Go})) }}
	t.addProgram(p)
	slices.Sort(hashes)

	return len(slices.Compact(hashes)) == len(hashes)
}

// scopedName is a name in the scope that must not have it twice.
type scopedName struct {
	scope Scope
	name  string
}

// findCollisions finds names that two texts share. Two texts that collide in one name usually
// collide in others, and so do their parts. So it reports each second text once, and no collision
// that follows from the owners.
func (t *table) findCollisions() []Collision {
	type pair struct{ first, second ir.Text }
	first := make(map[scopedName]int, len(t.all)) // indices of all
	collide := map[pair]bool{}
	reported := map[ir.Text]bool{}
	var found []Collision
	for i, id := range t.all {
		at := scopedName{id.Scope, id.Go}
		earlier, taken := first[at]
		if !taken {
			first[at] = i
			continue
		}
		before := t.all[earlier]
		follows := collide[pair{before.Owner, id.Owner}]
		collide[pair{before.From, id.From}] = true
		if follows || reported[id.From] {
			continue
		}
		reported[id.From] = true
		found = append(found, Collision{First: before, Second: id})
	}

	return found
}
