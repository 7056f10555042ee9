package verify_test

import (
	"go/ast"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit/emittest"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// workflows returns a program with a random workflow that runs an agent and another random workflow.
func workflows(seed uint64) *ir.Program {
	helper := &ir.Agent{
		Name: ir.Text{Value: "helper"}, Prompt: ir.Text{Value: "Help."}, Node: &ir.Oneshot{Repair: 2},
	}
	p := &ir.Program{Package: "agents", Agents: []*ir.Agent{helper}}
	child := emittest.Workflow(p, seed, emittest.WorkflowOptions{Name: "child", Size: 2})
	emittest.Workflow(p, seed+1000, emittest.WorkflowOptions{
		Name: "parent", Agents: []*ir.Agent{helper}, Imports: []*ir.Agent{child},
	})
	emittest.Sort(p)

	return p
}

// workflow damages all declarations of a workflow but those that its schemas have become, which are not compared.
func (d *damager) workflow(tree *ast.File, w *ir.Workflow) {
	d.exchange(w)
	free := ofSchemas(d.agent, w)
	free[names.Graph(d.agent.Name.Value)] = true
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if !free[decl.Name.Name] && !free[receiver(decl)] {
				d.add("name", decl.Name.Pos(), decl.Name.End(), "another")
				d.everything(decl.Type)
				d.everything(decl.Body)
			}
		case *ast.GenDecl:
			d.specs(decl, free)
		}
	}
}

// exchange finds the names that may stand for each other, so that what is emitted still compiles: states of a machine, and names
// of package workflow.
func (d *damager) exchange(w *ir.Workflow) {
	d.exchanged = map[string][]string{}
	add := func(names ...string) {
		for _, name := range names {
			d.exchanged[name] = names
		}
	}
	add("Success", "Failure", "Pause")
	add("MatchNone", "MatchExact", "MatchCatchAll", "MatchGuard")
	add("Equal", "Less", "LessEqual", "Greater", "GreaterEqual", "Contains")
	add("KeepFirst", "KeepLast")
	ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
		for _, t := range p.Tasks {
			m, isMachine := t.Do.(*ir.Machine)
			if !isMachine {
				continue
			}
			var states []string
			for _, s := range m.States {
				states = append(states, names.State(names.Machine(d.agent.Name.Value, p, t.Name.Value), s.Name.Value))
			}
			add(states...)
		}
	})
}

// specs damages types, constants and variables.
func (d *damager) specs(decl *ast.GenDecl, free map[string]bool) {
	var group []ast.Spec
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !free[spec.Name.Name] {
				d.everything(spec)
			}
		case *ast.ValueSpec:
			if !free[spec.Names[0].Name] && !free[d.typeOf(spec)] {
				d.everything(spec)
				group = append(group, spec)
			}
		}
	}
	if !decl.Lparen.IsValid() {
		return
	}
	for i, spec := range group {
		d.add("spec removed", spec.Pos(), spec.End(), "")
		if i > 0 && spec.(*ast.ValueSpec).Values == nil && group[i-1].(*ast.ValueSpec).Values == nil {
			d.swap("spec swapped", group[i-1], "\n", spec)
		}
	}
}

// typeOf returns the name of the type that a constant says it has.
func (d *damager) typeOf(spec *ast.ValueSpec) string {
	if spec.Type == nil {
		return ""
	}

	return d.text(spec.Type)
}

func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	typ := decl.Recv.List[0].Type
	if star, isPointer := typ.(*ast.StarExpr); isPointer {
		typ = star.X
	}

	return typ.(*ast.Ident).Name
}

// ofSchemas returns the identifiers that the schemas of a workflow need.
func ofSchemas(a *ir.Agent, w *ir.Workflow) map[string]bool {
	free := map[string]bool{}
	add := func(root string, s *ir.Schema) {
		if s == nil {
			return
		}
		for _, id := range names.SchemaIdentifiers(root, s) {
			free[id.Go] = true
		}
	}
	add(names.Context(a.Name.Value), w.Context)
	for _, s := range w.Agents {
		add(names.Output(s.Label(a.Name.Value)), s.Output())
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if ask, isHitl := t.Do.(*ir.Hitl); isHitl {
			add(names.Answer(ask.Answer.Of), ask.Answer.Schema)
		}
	})
	for name := range free {
		if strings.HasPrefix(name, "App") {
			delete(free, name)
		}
	}

	return free
}
