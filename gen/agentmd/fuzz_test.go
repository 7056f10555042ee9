package agentmd_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/agentmd"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
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
		program, err := agentmd.Load(project, list)
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
		switch node := a.Node.(type) {
		case *ir.Machine:
			machineHoldsTogether(t, node, list)
		case *ir.Flow:
			flowHoldsTogether(t, node, list)
		}
	}
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
			if !inFile(row.Key.Span) || !known[row.To.State] || row.End != (row.To.Value == "") {
				t.Errorf("row %q of %q stands nowhere or leads out of its machine", row.Key.Value, s.Name.Value)
			}
		}
	}
}

func flowHoldsTogether(t *testing.T, f *ir.Flow, list *diag.List) {
	t.Helper()
	if f.Partial && !list.HasErrors() {
		t.Error("a flow was read in part, and nothing was said")
	}
	for _, s := range f.Steps {
		if s.File == nil || s.Node == nil || s.Call.Role.Value == "" {
			t.Errorf("step %q has no file, no node or no role", s.Name.Value)
		}
	}
	ir.Walk(f.Body, func(op ir.Op) {
		run, ok := op.(*ir.Run)
		if ok && (run.Step == nil) == (run.Agent == nil) || ok && run.Step != nil && !slices.Contains(f.Steps, run.Step) {
			t.Errorf("run %q is of no step of the flow and of no agent, or of both", run.Var)
		}
	})
	if _, ends := f.Body[len(f.Body)-1].(*ir.Return); !ends && !endless(f.Body[len(f.Body)-1]) {
		t.Errorf("a %s does not end with a return", f.Kind)
	}
}

// endless reports a loop that only a return inside of it ends.
func endless(op ir.Op) bool {
	loop, ok := op.(*ir.Loop)

	return ok && loop.Times == 0
}

func inFile(s source.Span) bool { return s.IsValid() && s.Start >= 0 && s.End <= len(s.File.Bytes) }
