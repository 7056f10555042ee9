package page

import (
	"cmp"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/trace"
)

// data is what the page's script reads.
type data struct {
	Runs     []runData  `json:"runs"`
	Pictures [][]string `json:"pictures,omitempty"` // of a page without runs
	Served   bool       `json:"served,omitempty"`
	Dev      bool       `json:"dev,omitempty"`
}

type runData struct {
	Run          string           `json:"run"`
	Status       string           `json:"status"`
	Program      string           `json:"program"`
	Agent        string           `json:"agent"`
	By           string           `json:"by,omitempty"`
	ForkedFrom   string           `json:"forkedFrom,omitempty"`
	ForkedAt     string           `json:"forkedAt,omitempty"`
	Input        string           `json:"input"`
	Context      string           `json:"context,omitempty"`
	FinalContext string           `json:"finalContext,omitempty"`
	Key          string           `json:"key,omitempty"`
	Value        string           `json:"value,omitempty"`
	Problem      string           `json:"problem,omitempty"`
	Begun        time.Time        `json:"begun"`
	Totals       totals           `json:"totals"`
	Processes    []process        `json:"processes"`
	Questions    []trace.Question `json:"questions,omitempty"`
	Nodes        []node           `json:"nodes,omitempty"` // never none
	Turns        []Turn           `json:"turns,omitempty"`
	// HasTurns says that the program of the run was at hand.
	HasTurns bool `json:"hasTurns"`
	// Pictures are the drawings of each picture, with one level of frames, two, and so on to all.
	Pictures [][]string `json:"pictures,omitempty"`
}

type totals struct {
	Models    int   `json:"models"`
	Tools     int   `json:"tools"`
	Calls     int   `json:"calls"`
	Answers   int   `json:"answers"`
	In        int   `json:"in"`
	Out       int   `json:"out"`
	Cost      int64 `json:"cost"`
	Unpriced  int   `json:"unpriced"`
	Retries   int   `json:"retries"`
	Repairs   int   `json:"repairs"`
	Synthetic int   `json:"synthetic"`
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
	Kind    trace.Kind `json:"kind"`
	Name    string     `json:"name,omitempty"`
	Depth   int        `json:"depth"`
	Address string     `json:"address,omitempty"`
	// Begun and Ended are milliseconds since the run began; -1 where it is not known.
	Begun float64 `json:"begun"`
	Ended float64 `json:"ended"`
	// Copied says that the effect was carried out in the run of which this one is a copy.
	Copied    bool            `json:"copied,omitempty"`
	Attempts  int             `json:"attempts,omitempty"`
	Earlier   []string        `json:"earlier,omitempty"`
	Retries   []trace.Retried `json:"retries,omitempty"`
	Args      string          `json:"args,omitempty"`
	Value     string          `json:"value,omitempty"`
	Text      string          `json:"text,omitempty"`
	Problem   string          `json:"problem,omitempty"`
	Type      string          `json:"type,omitempty"`
	Model     string          `json:"model,omitempty"`
	In        int             `json:"in,omitempty"`
	Out       int             `json:"out,omitempty"`
	Cost      int64           `json:"cost,omitempty"`
	Calls     []trace.Called  `json:"calls,omitempty"`
	Stop      string          `json:"stop,omitempty"`
	Thoughts  string          `json:"thoughts,omitempty"`
	By        string          `json:"by,omitempty"`
	Channel   string          `json:"channel,omitempty"`
	Choices   []string        `json:"choices,omitempty"`
	Schema    string          `json:"schema,omitempty"`
	Machine   string          `json:"machine,omitempty"`
	Key       string          `json:"key,omitempty"`
	From      string          `json:"from,omitempty"`
	To        string          `json:"to,omitempty"`
	Matched   string          `json:"matched,omitempty"`
	Visit     int             `json:"visit,omitempty"`
	Guards    []trace.Verdict `json:"guards,omitempty"`
	Synthetic bool            `json:"synthetic,omitempty"`
	Waits     bool            `json:"waits,omitempty"`
	// Shape is the id of what was reached in a picture, Lines are those of the edges by which; NotTaken are the other rows of a decision,
	// Refused those edges whose guards said no.
	Shape    string   `json:"shape,omitempty"`
	Lines    []string `json:"lines,omitempty"`
	NotTaken []string `json:"notTaken,omitempty"`
	Refused  []string `json:"refused,omitempty"`
}

// data makes what the script reads.
func (p *Page) data() data {
	d := data{Runs: []runData{}, Served: p.Served, Dev: p.Dev}
	for i, r := range p.Runs {
		d.Runs = append(d.Runs, r.data(i))
	}
	if p.Picture != "" {
		pictures := atlas{prefix: "p"}
		pictures.add(p.Picture)
		d.Pictures = pictures.svgs()
	}

	return d
}

// prefixes keep the ids of the pictures of two runs apart.
var prefixes = []string{"a", "b", "c", "d"}

func (r *Run) data(number int) runData {
	t := trace.Of(r.Records)
	status := t.Status
	if status == trace.Open || r.Problem != "" {
		status = cmp.Or(r.Status, status)
	}
	d := runData{
		Run: t.Run, Status: status, Program: t.Program, Agent: t.Agent, By: t.By, ForkedFrom: t.ForkedFrom, ForkedAt: t.ForkedAt,
		Input: t.Input, Context: t.Context, FinalContext: t.FinalContext, Key: t.Key, Value: t.Value, Problem: cmp.Or(r.Problem, t.Problem), Begun: t.Begun,
		Questions: t.Questions, Turns: r.Turns, HasTurns: r.Turns != nil,
	}
	d.Totals = totals{
		t.Totals.Models, t.Totals.Tools, t.Totals.Calls, t.Totals.Answers, t.Totals.In, t.Totals.Out, t.Totals.Cost,
		t.Totals.Unpriced, t.Totals.Retries, t.Totals.Repairs, t.Totals.Synthetic,
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
	f := flattener{since: since, begun: t.Begun, pictures: atlas{prefix: prefixes[number%len(prefixes)], agents: r.Agents}}
	f.add(t.Root, 0, nil)
	d.Nodes, d.Pictures = f.nodes, f.pictures.svgs()

	return d
}

// flattener makes a list of a tree.
type flattener struct {
	since    func(time.Time) float64
	begun    time.Time
	pictures atlas
	nodes    []node
}

// add adds a node, and those below it. It is within agents and states of these names, the innermost first.
func (f *flattener) add(n *trace.Node, depth int, within []string) {
	if n.Kind == trace.Branch && len(n.Children) == 1 && n.Children[0].Kind == trace.Agent { // as scripts call it
		alone := *n.Children[0]
		f.add(&alone, depth, within)
		return
	}
	flat := node{
		Kind: n.Kind, Name: n.Name, Depth: depth, Address: n.Address, Begun: f.since(n.Begun), Ended: f.since(n.Ended), Attempts: n.Attempts,
		Copied:  !n.Ended.IsZero() && n.Ended.Before(f.begun),
		Earlier: n.Earlier, Retries: n.Retries, Args: n.Args, Value: n.Value, Text: n.Text, Problem: n.Problem, Type: n.Type,
		Model: n.Model, In: n.In, Out: n.Out, Cost: n.Cost, Calls: n.Calls, Stop: n.Stop, Thoughts: n.Thoughts, By: n.By, Channel: n.Channel, Choices: n.Choices,
		Schema: n.Schema, Machine: n.Machine, Key: n.Key, From: n.From, To: n.To, Matched: n.Matched, Visit: n.Visit, Guards: n.Guards,
		Synthetic: n.Synthetic, Waits: n.Question != nil,
	}
	f.pictures.locate(n, within, &flat)
	f.nodes = append(f.nodes, flat)
	if name, _, _ := strings.Cut(n.Name, "/"); n.Kind == trace.Agent || n.Kind == trace.State {
		within = append([]string{name}, within...)
	}
	for _, child := range n.Children {
		f.add(child, depth+1, within)
	}
}
