package graph

import (
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func text(value string) ir.Text { return ir.Text{Value: value} }

func react(name string) *ir.Agent { return &ir.Agent{Name: text(name), Node: &ir.React{}} }

// machine makes a machine of "state key target, key target" lines; a state of agents runs the one
// of its name, the target ~ ends, the key - is unconditional.
func machine(name string, external bool, agents map[string]*ir.Agent, lines ...string) *ir.Agent {
	m := &ir.Machine{External: external}
	states := map[string]*ir.State{}
	for _, line := range lines {
		state := strings.Fields(line)[0]
		states[state] = &ir.State{Name: text(state), Agent: agents[state]}
		m.States = append(m.States, states[state])
	}
	for i, line := range lines {
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))[1:]
		for ; len(words) > 1; words = words[2:] {
			to := ir.Ref{Text: text(words[1]), State: states[words[1]]}
			if words[0] == "-" {
				m.States[i].Always = &to
				continue
			}
			m.States[i].Rows = append(m.States[i].Rows, &ir.Row{Key: text(words[0]), To: to, End: words[1] == "~"})
		}
	}
	m.Initial = ir.Ref{Text: m.States[0].Name, State: m.States[0]}

	return &ir.Agent{Name: text(name), Node: m}
}

// desk has all that a picture can show.
func desk() *ir.Agent {
	agents := map[string]*ir.Agent{"triage": react("triage"), "reply": react("reply"), "ledger": react("ledger")}
	agents["review"] = machine("review", false, agents, "ledger ok closed, bad ledger", "closed")
	agents["billing"] = machine("billing", false, agents, "triage - review", "review ok ~, * triage")
	agents["second"] = agents["review"]
	agents["on-call"] = machine("on-call", false, agents, "reply - done", "done")

	return machine("desk", false, agents,
		"triage money billing, again second, * on-call", "billing ok reply, bad done, late ~", "second - triage", "reply", "on-call", "done")
}

func door() *ir.Agent {
	return machine("door", true, nil, "closed open opened, lock broken", "opened close closed", "broken")
}

// deep nests n machines.
func deep(n int) *ir.Agent {
	agents := map[string]*ir.Agent{"work": react("work")}
	inner := machine("m", false, agents, "work - done", "done")
	for range n - 1 {
		inner = machine("m", false, map[string]*ir.Agent{"m": inner}, "m - done", "done")
	}

	return inner
}

// A picture for a program stops at a number of machines, so that deep nesting does not make it grow
// without bound.
func TestPictureIsBounded(t *testing.T) {
	if whole := deep(mostInner + 1); DrawPicture(whole) != DrawMermaid(nil, whole) {
		t.Error("24 inner machines are not shown")
	}
	if got, want := len(DrawPicture(deep(1000))), len(DrawPicture(deep(mostInner+2))); got != want {
		t.Errorf("1000 machines give %d bytes, one too many %d", got, want)
	}
}

func TestPictures(t *testing.T) {
	pictures := map[string][]*ir.Agent{"desk": {desk()}, "door": {door()}, "two": {react("a"), door()}}
	for name, agents := range pictures {
		casetest.Golden(t, "testdata/"+name+".mmd", DrawMermaid(nil, agents...))
		casetest.Golden(t, "testdata/"+name+".dot", DOT(nil, agents...))
	}
	casetest.Golden(t, "testdata/desk.mmd", DrawPicture(desk()))
	casetest.Golden(t, "testdata/deep.mmd", DrawPicture(deep(mostInner+2)))
}

func TestRoots(t *testing.T) {
	a := desk()
	inner := a.Node.(*ir.Machine).States[0].Agent
	p := &ir.Program{Agents: []*ir.Agent{a, door(), inner}}
	var names []string
	for _, root := range FindRoots(p) {
		names = append(names, root.Name.Value)
	}
	if got := strings.Join(names, " "); got != "desk door" {
		t.Errorf("roots are %s", got)
	}
	p.Entry = inner
	if got := FindRoots(p); len(got) != 1 || got[0] != inner {
		t.Errorf("the entry point is not the root: %v", got)
	}
}

// What a line of Mermaid may look like when no label breaks out of its quotes.
var mermaidLine = regexp.MustCompile(`^ *(flowchart TD|end` +
	`|subgraph n\d+\["[^"]*"\]` +
	`|n\d+[[({]{1,3}/?"[^"]*"/?[\])}]{1,3}` +
	`|n\d+ -\.?->(\|"[^"]*"\|)? n\d+` +
	`|classDef [a-z]+Node [a-z0-9:#, -]+|class [n0-9,]+ [a-z]+Node)$`)

var mermaidLabel = regexp.MustCompile(`"([^"]*)"`)

// What a label may hold: no markup, no comment or directive (%%), no Markdown text (a backquote
// behind the quote).
var mermaidSafe = regexp.MustCompile("^([^\"`<>&%{}|;#\\x00-\\x1f]|#[0-9]+;)*$")

func checkMermaid(t *testing.T, got string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if !mermaidLine.MatchString(line) {
			t.Errorf("a label broke out: %q", line)
		}
		for _, label := range mermaidLabel.FindAllStringSubmatch(line, -1) {
			if !mermaidSafe.MatchString(label[1]) {
				t.Errorf("not escaped: %q", label[1])
			}
		}
	}
}

var (
	dotQuoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	dotLine   = regexp.MustCompile(`^ *(digraph agentc \{|\}|compound=true|subgraph cluster_n\d+ \{` +
		`|(graph|node|edge|n\d+|n\d+ -> n\d+)( \[[a-z]+=([a-z0-9.]+|Q|cluster_n\d+)(, [a-z]+=([a-z0-9.]+|Q|cluster_n\d+))*\])?)$`)
)

func checkDOT(t *testing.T, got string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if !dotLine.MatchString(dotQuoted.ReplaceAllString(line, "Q")) {
			t.Errorf("a label broke out: %q", line)
		}
	}
}

var hostile = []string{
	`"`, `\`, `\"`, `"]; click n1 "javascript:alert(1)"`, "a\nend\nb", "a\r\nsubgraph x", "%%{init: {}}%%", "<script>alert(1)</script>",
	"`**x**`", "&lt;", "#quot;", "]]", "))", "|", "end", "\u2028x", "\u202ex", "\x00", "ünïcödé", "", "}", "style a:b#c;", "\xff", "]\n}\ndigraph x {",
}

func pictureOf(label string) *ir.Agent {
	a := desk()
	a.Name = text(label)
	m := a.Node.(*ir.Machine)
	for _, s := range m.States {
		s.Name = text(label)
		for _, r := range s.Rows {
			r.Key = text(label)
		}
	}

	return a
}

func TestNoLabelBreaksOut(t *testing.T) {
	for _, label := range hostile {
		checkLabel(t, label)
	}
}

func checkLabel(t *testing.T, label string) {
	t.Helper()
	for _, a := range []*ir.Agent{pictureOf(label), labelFlow(label), labelWorkflow(label)} {
		checkMermaid(t, DrawMermaid(nil, a))
		checkDOT(t, DOT(nil, a))
	}
}

func FuzzLabels(f *testing.F) {
	for _, label := range hostile {
		f.Add(label)
	}
	f.Fuzz(checkLabel)
}

// The ways in which a state or an operation can look are told apart in both formats.
func TestKindsLookDifferent(t *testing.T) {
	for _, style := range []func(look) string{look.mermaidStyle, look.dotAttributes} {
		seen := map[string]kind{}
		for _, k := range []kind{kindAgent, kindStep, kindPerson, kindTerminal, kindMarker, kindCode, kindAny} {
			if other, ok := seen[style(looks[k])]; ok {
				t.Errorf("%s looks like %s", k, other)
			}
			seen[style(looks[k])] = k
		}
	}
}

// In a picture of a difference each part is there once; what only one version has is marked, and says so.
func TestDifference(t *testing.T) {
	before := machine("desk", true, nil, "open ok closed, late lost", "lost found open", "closed")
	after := machine("desk", true, nil, "open ok checked, late lost", "lost found open", "checked good closed", "closed")
	got := DrawDifference([]*ir.Agent{before}, []*ir.Agent{after})
	for _, want := range []string{`"new#58; checked"`, `|"gone#58; ok"|`, `|"new#58; ok"|`, `|"new#58; good"|`, `|"late"|`, "class n5 addedNode"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("not once %s in\n%s", want, got)
		}
	}
	if same := DrawDifference([]*ir.Agent{before}, []*ir.Agent{before}); strings.Contains(same, "addedNode") || same != DrawAlone(before) {
		t.Errorf("a picture of the same:\n%s\nwant\n%s", same, DrawAlone(before))
	}
	gone := DrawDifference([]*ir.Agent{before}, nil)
	if !strings.Contains(gone, `"gone#58; desk"`) || !strings.Contains(gone, "removedNode") {
		t.Errorf("a picture of what is gone:\n%s", gone)
	}
}
