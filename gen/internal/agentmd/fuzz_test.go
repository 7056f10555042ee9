package agentmd_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// stepNames are the names of all step files of all patterns.
var stepNames = []string{
	"draft", "critique", "refine", "revise", "verify", "check", "act", "reflect", "execute", "judge", "reduce", "resume",
}

// FuzzLoad: any bytes in the files of a project give a program that holds together, and findings that stand in a file. The
// agent has the same text in each step file.
func FuzzLoad(f *testing.F) {
	const head = "---\nname: a\ndescription: A.\nversion: 1\n"
	add := func(agent, step, skill, config string) {
		f.Add([]byte(agent), []byte(step), []byte(skill), []byte(config))
	}
	add(head+"pattern: react\ncall: {uses: [s]}\n---\nDo it.", "", "---\nname: s\ndescription: S.\n---\n", "models: {}")
	add(head+"pattern: fsm\ninitial: b\nstates: {b: [{x: a}, {key: y, to: ~, when: z}], a: }\n---\n", "", "", "output: ../x")
	add(head+"pattern: oneshot\noutput: {type: array}\n---\r\n", "", "---\ntools: [bash, {name: x, input: {}}]\n---",
		"models: {default: 'script:agentc.yaml'}")
	for _, fields := range []string{
		"scatter\nworker: b\nmax_items: 3", "parallel\nworkers: [a, b, b, _failed]", "critic\noutput: {type: string}",
		"reflexion\nmax_iter: 1", "constitutional\ncall: {model: {role: x}}", "chain-of-verification\nmax_concurrency: 2",
		"plan-execute\nmax_iter: 2", "debate\nagents: [b, a]\njudge: a\nrounds: 2", "best-of-n\nn: 2",
		"human\nkeys: [x]\nrepair: 1\ncall: {uses: [s]}",
	} {
		agent := head + "pattern: " + fields + "\n---\nDo it."
		add(agent, "Do a step.", "", "entrypoint: a")
		add(agent, "---\npattern: react\nmodel: {temperature: 1}\nmax_iter: 3\n---\nDo a step.", "", "")
		add(agent, "---\npattern: oneshot\ncall: {uses: [s], max_iter: 2}\nkeys: [done]\n---\n", "---\nname: s\n---\n", "")
	}
	for _, machine := range []string{
		"fsm\ninitial: b\nstates: {b: [{x: a, when: g}, {x: b, when: visits.b < 3, priority: 2}, {key: x, to: ~, priority: -1}], a: }",
		"fsm\ninitial: b\nstates: {b: [{x: a, when: not g}, {y: ~, when: value > 3 or steps.b.x == key}, {kye: x, to: b, wen: g}]}",
		"fsm\ndrive: external\ninitial: x\nstates: {x: [{go: ~, when: data.n == input}]}\nsignals: [{on: stop, in: [x], do: {fire: go}}]" +
			"\ntimers: {x: {after: 1h30s, fire: go}, y: {after: 9999999999h, fire: go}}\non_enter: {x: [a]}\non_exit: {z: [b]}" +
			"\naccess: [{agent: '*', deny: true, states: [x, q], keys: [go]}]\nmigrate: {from: {old: x, older: q}}",
		"react\ncall: {uses: [s]}\ngate: {initial: x, ungated: [tama_bash, start], states: {x: [{t: y, when: data.n > 1}, {'*': x}], " +
			"y: [{finish: ~, when: g}], z: x}}\nsignals: [{on: stop, do: continue, priority: 3}]",
	} {
		add(head+"pattern: "+machine+"\n---\n", "",
			"---\nname: s\ndescription: S.\ntools: [bash, {name: t, input: {type: object, properties: {n: {type: integer}}}}]\n---\n",
			"include: [mcp, serve]")
	}
	f.Fuzz(func(t *testing.T, agent, step, skill, config []byte) {
		list := &diag.List{}
		project := fstest.MapFS{
			"agents/a/AGENT.md": {Data: agent},
			"agents/b/AGENT.md": {Data: []byte(head + "pattern: critic\n---\n")},
			"skills/s/SKILL.md": {Data: skill},
			"agentc.yaml":       {Data: config},
		}
		for _, name := range stepNames {
			if len(step) > 0 {
				project["agents/a/"+name+".md"] = &fstest.MapFile{Data: step}
			}
		}
		program, err := loader.Load(project, list)
		if err != nil {
			t.Fatal(err)
		}
		holdsTogether(t, program, list)
	})
}

// holdsTogether checks what later stages rely on.
func holdsTogether(t *testing.T, p *ir.Program, list *diag.List) {
	t.Helper()
	for _, d := range list.Sorted() {
		if d.Message == "" || d.Span.File == nil || d.Span.End > len(d.Span.File.Bytes) || d.Span.Start > d.Span.End {
			t.Errorf("finding %s %q stands nowhere", d.Check.Name, d.Message)
		}
	}
	for i, a := range p.Agents {
		if a.Name.Value == "" || a.File == nil || i > 0 && p.Agents[i-1].Name.Value > a.Name.Value {
			t.Errorf("agent %q has no name, no file or no order", a.Name.Value)
		}
		if m := a.MachineOf(); m != nil {
			machineHoldsTogether(t, m, list)
		}
		if flow, ok := ir.PatternOf(a.Node); ok {
			flowHoldsTogether(t, flow, list)
		}
	}
	guardsHoldTogether(t, p)
	if p.Package == "" && !list.HasErrors() {
		t.Error("no package")
	}
}

func machineHoldsTogether(t *testing.T, m *ir.Machine, list *diag.List) {
	t.Helper()
	if m.Partial && !list.HasErrors() {
		t.Error("a machine was read in part, and nothing was said")
	}
	known := map[*ir.State]bool{nil: true}
	for _, s := range m.States {
		known[s] = true
	}
	for _, s := range m.States {
		if !inFile(s.Name.Span) || s.Always != nil && !known[s.Always.State] {
			t.Errorf("state %q stands nowhere or leads out of its machine", s.Name.Value)
		}
		for _, row := range s.Rows {
			if guard := row.When; guard != nil && (guard.Func != nil && guard.Formula != nil ||
				guard.Func == nil && guard.Formula == nil && !list.HasErrors()) {
				t.Errorf("the guard %q is neither a name nor an expression, or both", guard.Text.Value)
			}
			if !inFile(row.Key.Span) || !known[row.To.State] || row.End != (row.To.Value == "") {
				t.Errorf("row %q of %q stands nowhere or leads out of its machine", row.Key.Value, s.Name.Value)
			}
		}
	}
}

// guardsHoldTogether checks that named guards are sorted, and that rows and guards know each other.
func guardsHoldTogether(t *testing.T, p *ir.Program) {
	t.Helper()
	asking := 0
	for _, a := range p.Agents {
		m := a.MachineOf()
		if m == nil {
			continue
		}
		for _, s := range m.States {
			for _, row := range s.Rows {
				if row.When != nil && row.When.Func != nil {
					asking++
				}
			}
		}
	}
	uses := 0
	for i, g := range p.Guards {
		if !inFile(g.Name.Span) || i > 0 && p.Guards[i-1].Name.Value >= g.Name.Value {
			t.Errorf("guard %q stands nowhere or has no order", g.Name.Value)
		}
		for _, use := range g.Uses {
			if use.Row.When == nil || use.Row.When.Func != g || !slices.Contains(use.State.Rows, use.Row) {
				t.Errorf("guard %q is asked by a row that does not know it", g.Name.Value)
			}
		}
		uses += len(g.Uses)
	}
	if uses != asking {
		t.Errorf("%d rows ask named guards, %d are known", asking, uses)
	}
}

func flowHoldsTogether(t *testing.T, f *ir.Flow, list *diag.List) {
	t.Helper()
	if f.Partial && !list.HasErrors() {
		t.Error("a flow was read in part, and nothing was said")
	}
	for _, s := range f.Conversations {
		if s.File == nil || s.Node == nil || s.Call.Role.Value == "" {
			t.Errorf("step %q has no file, no node or no role", s.Name.Value)
		}
	}
	ir.WalkTasks(f.Body, func(task *ir.Task) {
		run, isRun := task.Do.(*ir.Run)
		if !isRun {
			return
		}
		isOfNone := (run.Step == nil) == (run.Agent == nil)
		if isOfNone || run.Step != nil && !slices.Contains(f.Conversations, run.Step) {
			t.Errorf("run %q is of no step of the flow and of no agent, or of both", task.Name.Value)
		}
	})
	last := f.Body.Tasks[len(f.Body.Tasks)-1].Do
	_, ends := last.(*ir.Return)
	loop, loops := last.(*ir.Loop)
	if !ends && !(loops && loop.EndsByReturn()) {
		t.Errorf("a %s does not end with a return", f.Kind)
	}
}

func inFile(s source.Span) bool { return s.IsValid() && s.Start >= 0 && s.End <= len(s.File.Bytes) }
