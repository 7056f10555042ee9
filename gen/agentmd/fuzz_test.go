package agentmd_test

import (
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/agentmd"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
)

// FuzzLoad: any bytes in the files of a project give a program that holds together, and findings that stand in a file.
func FuzzLoad(f *testing.F) {
	const head = "---\nname: a\ndescription: A.\nversion: 1\n"
	f.Add([]byte(head+"pattern: react\ncall: {uses: [s]}\n---\nDo it."), []byte("---\nname: s\ndescription: S.\n---\n"), []byte("models: {}"))
	f.Add([]byte(head+"pattern: fsm\ninitial: b\nstates: {b: [{x: a}, {key: y, to: ~, when: z}], a: }\n---\n"), []byte(""), []byte("output: ../x"))
	f.Add([]byte(head+"pattern: oneshot\noutput: {type: array}\n---\r\n"), []byte("---\ntools: [bash, {name: x, input: {}}]\n---"),
		[]byte("models: {default: 'script:agentc.yaml'}"))
	f.Fuzz(func(t *testing.T, agent, skill, config []byte) {
		list := &diag.List{}
		program, err := agentmd.Load(fstest.MapFS{
			"agents/a/AGENT.md": {Data: agent},
			"agents/b/AGENT.md": {Data: []byte(head + "pattern: critic\n---\n")},
			"skills/s/SKILL.md": {Data: skill},
			"agentc.yaml":       {Data: config},
		}, list)
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
		if machine, ok := a.Node.(*ir.Machine); ok {
			machineHoldsTogether(t, machine, list)
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

func inFile(s source.Span) bool { return s.IsValid() && s.Start >= 0 && s.End <= len(s.File.Bytes) }
