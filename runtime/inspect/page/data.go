package page

import (
	"cmp"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// data is what the page's script reads.
type data struct {
	Runs     []runData  `json:"runs"`
	Pictures [][]string `json:"pictures,omitempty"` // of a page without runs
	Served   bool       `json:"served,omitempty"`
	Dev      bool       `json:"dev,omitempty"`
}

type runData struct {
	Run          string            `json:"run"`
	Status       string            `json:"status"`
	Stranded     bool              `json:"stranded,omitempty"`
	Program      string            `json:"program"`
	Agent        string            `json:"agent"`
	By           string            `json:"by,omitempty"`
	ForkedFrom   string            `json:"forkedFrom,omitempty"`
	ForkedAt     string            `json:"forkedAt,omitempty"`
	Input        string            `json:"input"`
	Context      string            `json:"context,omitempty"`
	FinalContext string            `json:"finalContext,omitempty"`
	Key          string            `json:"key,omitempty"`
	Value        string            `json:"value,omitempty"`
	Problem      string            `json:"problem,omitempty"`
	Begun        time.Time         `json:"begun"`
	Totals       trace.Totals      `json:"totals"`
	Processes    []process         `json:"processes"`
	Questions    []client.Question `json:"questions,omitempty"`
	Nodes        []node            `json:"nodes,omitempty"` // never none
	Turns        []Turn            `json:"turns,omitempty"`
	// HasTurns reports whether the program of the run was available.
	HasTurns bool `json:"hasTurns"`
	// AtWork reports whether the run is still executed, so that its turns are known only when it stops.
	AtWork bool `json:"atWork,omitempty"`
	// Pictures are the drawings of each picture, with one level of frames, two, and so on to all.
	Pictures [][]string `json:"pictures,omitempty"`
}

// process is one that worked on the run; times are milliseconds since the run began.
type process struct {
	Begun    float64 `json:"begun"`
	Ended    float64 `json:"ended"`
	Status   string  `json:"status"`
	NewShape bool    `json:"newShape,omitempty"`
	NewText  bool    `json:"newText,omitempty"`
}

// node is a node of the trace; those below it follow it, with a greater depth.
type node struct {
	*trace.Node
	Depth int `json:"depth"`
	// Begun and Ended are milliseconds since the run began; -1 where it is not known.
	Begun float64 `json:"begun"`
	Ended float64 `json:"ended"`
	// Copied reports whether the effect was carried out in the run of which this one is a copy.
	Copied bool `json:"copied,omitempty"`
	Waits  bool `json:"waits,omitempty"`
	// Shape is the id of the reached node in a picture; Lines are the ids of the edges that led to
	// it. NotTaken are the other rows of a decision, Refused the edges with a guard that did not
	// hold.
	Shape    string   `json:"shape,omitempty"`
	Lines    []string `json:"lines,omitempty"`
	NotTaken []string `json:"notTaken,omitempty"`
	Refused  []string `json:"refused,omitempty"`
}

// makeData makes what the script reads.
func (p *Page) makeData() data {
	d := data{Runs: []runData{}, Served: p.Served, Dev: p.Dev}
	for i, r := range p.Runs {
		d.Runs = append(d.Runs, r.makeData(i))
	}
	if p.Picture != "" {
		pictures := diagramSet{prefix: "p"}
		pictures.addDiagram(p.Picture)
		d.Pictures = pictures.drawLevels()
	}

	return d
}

// prefixes keep the ids of the pictures of two runs apart.
var prefixes = []string{"a", "b", "c", "d"}

func (r *Run) makeData(number int) runData {
	t := trace.Of(r.Records)
	status := t.Status
	if status == trace.Open || r.Problem != "" {
		status = cmp.Or(r.Status, status)
	}
	problem := cmp.Or(r.Problem, t.Problem)
	if status == trace.Paused {
		problem = "" // its questions show what it waits for, as long as they are open
	}
	d := runData{
		Run: t.Run, Status: status, Stranded: r.Stranded, Program: t.Program, Agent: t.Agent, By: t.By, ForkedFrom: t.ForkedFrom, ForkedAt: t.ForkedAt,
		Input: t.Input, Context: t.Context, FinalContext: t.FinalContext, Key: t.Key, Value: t.Value, Problem: problem, Begun: t.Begun,
		Questions: t.Questions, Turns: r.Turns, HasTurns: r.Turns != nil, AtWork: r.AtWork, Totals: t.Totals,
	}
	since := func(at time.Time) float64 {
		if at.IsZero() {
			return -1
		}

		return max(float64(at.Sub(t.Begun).Microseconds())/1000, 0)
	}
	for _, p := range t.Processes {
		d.Processes = append(d.Processes, process{since(p.Begun), since(p.Ended), p.Status, p.NewShape, p.NewText})
	}
	f := flattener{since: since, begun: t.Begun, pictures: diagramSet{prefix: prefixes[number%len(prefixes)], agents: r.Agents}}
	f.addNode(t.Root, 0, nil)
	d.Nodes, d.Pictures = f.nodes, f.pictures.drawLevels()

	return d
}

// flattener makes a list of a tree.
type flattener struct {
	since    func(time.Time) float64
	begun    time.Time
	pictures diagramSet
	nodes    []node
}

// addNode adds a node, and those below it. It is within agents and states of these names, the innermost first.
func (f *flattener) addNode(n *trace.Node, depth int, within []string) {
	if n.Kind == trace.Branch && len(n.Children) == 1 && n.Children[0].Kind == trace.Agent { // as scripts call it
		f.addNode(n.Children[0], depth, within)
		return
	}
	flat := node{
		Node: n, Depth: depth, Begun: f.since(n.Begun), Ended: f.since(n.Ended), Copied: !n.Ended.IsZero() && n.Ended.Before(f.begun),
		Waits: n.Question != nil,
	}
	f.pictures.recordNode(n, within, &flat)
	f.nodes = append(f.nodes, flat)
	if name, _, _ := strings.Cut(n.Name, "/"); n.Kind == trace.Agent || n.Kind == trace.State {
		within = append([]string{name}, within...)
	}
	for _, child := range n.Children {
		f.addNode(child, depth+1, within)
	}
}
