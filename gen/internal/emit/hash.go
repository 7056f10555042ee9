package emit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// digest hashes a sequence of texts so that no two sequences look alike: each is preceded by its length.
type digest struct {
	hash hash.Hash
}

func newDigest() *digest { return &digest{sha256.New()} }

func (d *digest) add(texts ...string) {
	var length [8]byte
	for _, text := range texts {
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		d.hash.Write(length[:])
		d.hash.Write([]byte(text))
	}
}

// sum returns 32 hexadecimal digits.
func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil))[:32] }

// ShapeHash is over what a run that was interrupted depends on: states, rows, the operations of flows, patterns, the keys and
// values that agents and steps finish with, skills and the schemas of tools. How often something is done is part of it where
// the run continues afterwards: variants, rounds, attempts, cycles. Limits at which a run fails are not, such as those of turns,
// states and items: what was interrupted had not reached them.
func ShapeHash(p *ir.Program) string {
	d := newDigest()
	for _, a := range p.Agents {
		d.add("agent", a.Name.Value, a.Node.Pattern())
		switch n := a.Node.(type) {
		case *ir.Machine:
			d.machine(n)
		case *ir.Workflow:
			d.schema("context", n.Context)
		}
		for _, s := range a.Conversations() {
			d.add("step", s.Name.Value, s.Node.Pattern())
			d.conversation(s)
		}
		d.body(a.Body())
	}
	for _, s := range p.Skills {
		d.add("skill", s.Name.Value)
		for _, ref := range s.Tools {
			d.add(ref.Value)
		}
	}
	for _, tool := range p.AllTools() {
		d.add("tool", tool.Name.Value, string(tool.Effect))
		d.schema("input", tool.Input)
		d.schema("output", tool.Output)
	}
	for _, f := range p.Funcs {
		d.add("function", f.Name.Value)
		d.schema("input", f.Input)
		d.schema("output", f.Output)
	}

	return d.sum()
}

func (d *digest) conversation(s *ir.Step) {
	if n, isReact := s.Node.(*ir.React); isReact {
		d.add("keys")
		d.add(texts(n.Keys)...)
		d.add("uses")
		for _, use := range n.Uses {
			d.add(use.Value)
		}
		d.gate(n.Gate)
	}
	d.schema("output", s.Output())
	if rule := s.List(); rule != nil {
		d.add("list", listKinds[rule.Kind], rule.Key)
	}
}

func (d *digest) gate(g *ir.Gate) {
	if g == nil {
		return
	}
	d.add("gate")
	d.machine(g.Machine)
	d.add("ungated")
	d.add(texts(g.Ungated)...)
}

func (d *digest) machine(m *ir.Machine) {
	d.add("initial", m.Initial.Value)
	if m.External {
		d.add("external")
	}
	for _, s := range m.States {
		d.add("state", s.Name.Value, strconv.FormatBool(s.End), strconv.Itoa(len(s.Rows)))
		if s.Agent != nil {
			d.add("runs", s.Agent.Name.Value)
		}
		if s.Always != nil {
			d.add("always", s.Always.Value)
		}
	}
	for _, row := range m.Rows() {
		to := "to " + row.To.Value
		if row.End {
			to = "end"
		}
		d.add("row", row.From.Value, row.Key.Value, to)
		d.guard(row)
	}
}

// guard adds what decides whether a row is taken, and in which order it is tried.
func (d *digest) guard(row *ir.Row) {
	if row.When != nil {
		d.add("when", row.When.Text.Value)
	}
	if row.Priority != 0 {
		d.add("priority", strconv.Itoa(row.Priority))
	}
}

func (d *digest) schema(role string, s *ir.Schema) {
	if s == nil {
		return
	}
	d.add(role, s.JSON)
}

// ProgramName is what the program is called: its entry point, or its package where several agents could be that.
func ProgramName(p *ir.Program) string {
	if p.Entry != nil {
		return p.Entry.Name.Value
	}

	return p.Package
}

// TextHash is over prompts, descriptions, budgets, and what workflows give to models and people.
func TextHash(p *ir.Program) string {
	d := newDigest()
	d.budget(p.Budget)
	for _, a := range p.Agents {
		d.add("agent", a.Name.Value, a.Description.Value, a.Prompt.Value)
		d.budget(a.Budget)
		for _, s := range a.Conversations() {
			if s.Name.Value != "" { // else it is the agent's own
				d.add("step", s.Name.Value, s.Prompt.Value)
			}
		}
		d.words(a.Body())
	}
	for _, s := range p.Skills {
		d.add("skill", s.Name.Value, s.Description.Value, s.Body.Value)
		for _, f := range s.Files {
			d.add("file", f.Path, f.Content)
		}
	}
	for _, tool := range p.AllTools() {
		d.add("tool", tool.Name.Value, tool.Description.Value)
	}

	return d.sum()
}
