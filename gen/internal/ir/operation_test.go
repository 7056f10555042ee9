package ir_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// everything is a pipeline in which each kind of operation occurs once inside of another, and a task of its own around it.
func everything() *ir.Pipeline {
	deepest := does("ask", &ir.Ask{})
	machine := &ir.Machine{States: []*ir.State{{Body: ir.NewPipeline(deepest)}, {}}}
	parallel := &ir.Parallel{Branches: []*ir.Arm{{Body: ir.NewPipeline(does("machine", machine))}}}
	branch := &ir.Branch{
		Branches: []*ir.Arm{{Name: ir.Text{Value: "a"}, Body: ir.NewPipeline(does("parallel", parallel))}},
		Default:  ir.NewPipeline(does("import", &ir.Import{Agent: &ir.AgentRef{}})),
	}
	loop := does("loop", &ir.Loop{Body: ir.NewPipeline(does("branch", branch))})
	loop.Fallback = does("fallback", &ir.PassOn{})

	return ir.NewPipeline(
		does("receive", &ir.Receive{}),
		loop,
		does("run", &ir.Run{}),
		does("call", &ir.UseFunc{}),
		does("builtin", &ir.UseBuiltin{}),
		does("return", &ir.Return{}),
	)
}

var sortByPriority = []string{
	"receive", "loop", "branch", "parallel", "machine", "ask", "import", "fallback", "run", "call", "builtin", "return",
}

func TestWalkVisitsEachOperationOnceInSourceOrder(t *testing.T) {
	var tasks []string
	kinds := map[reflect.Type]int{}
	ir.Walk(everything().Ops(), func(op ir.Op) {
		kinds[reflect.TypeOf(op)]++
		if task, isTask := op.(*ir.Task); isTask {
			tasks = append(tasks, task.Name.Value)
		}
	})
	if !slices.Equal(tasks, sortByPriority) {
		t.Errorf("the tasks are %q", tasks)
	}
	for _, kind := range ir.OpKinds() {
		want := 1
		if _, isTask := kind.(*ir.Task); isTask {
			want = len(sortByPriority)
		}
		if got := kinds[reflect.TypeOf(kind)]; got != want {
			t.Errorf("%T is visited %d times", kind, got)
		}
	}
}

func TestWalkTasksAndPipelinesVisitWhatWalkDoes(t *testing.T) {
	var tasks []string
	ir.WalkTasks(everything(), func(task *ir.Task) { tasks = append(tasks, task.Name.Value) })
	if !slices.Equal(tasks, sortByPriority) {
		t.Errorf("the tasks are %q", tasks)
	}
	var first []string
	ir.WalkPipelines(everything(), func(p *ir.Pipeline) { first = append(first, p.Tasks[0].Name.Value) })
	if want := []string{"receive", "branch", "parallel", "import", "machine", "ask"}; !slices.Equal(first, want) {
		t.Errorf("the pipelines begin with %q", first)
	}
	ir.WalkPipelines(nil, func(*ir.Pipeline) { t.Error("nil is visited") })
}

// How deep each task is: the operation of a task is inside of it, and so is its fallback.
func TestFoldComputesFromTheInside(t *testing.T) {
	depths := ir.Fold(everything(), func(_ ir.Op, inside []int) int { return 1 + slices.Max(append(inside, 0)) })
	if want := []int{2, 10, 2, 2, 2, 2}; !slices.Equal(depths, want) {
		t.Errorf("the depths are %v", depths)
	}
}

func TestFoldOfNothing(t *testing.T) {
	if got := ir.Fold(nil, func(ir.Op, []int) int { return 1 }); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// Each type with the method op is one of Kinds.
func TestKindsAreAll(t *testing.T) {
	var kinds, declared []string
	for _, kind := range ir.OpKinds() {
		kinds = append(kinds, reflect.TypeOf(kind).Elem().Name())
	}
	file, err := parser.ParseFile(token.NewFileSet(), "operation.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, isFunc := d.(*ast.FuncDecl)
		if isFunc && f.Name.Name == "op" {
			declared = append(declared, f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name)
		}
	}
	slices.Sort(kinds)
	slices.Sort(declared)
	if !slices.Equal(kinds, declared) {
		t.Errorf("Kinds has %v, declared are %v", kinds, declared)
	}
}

func TestConditionIsABranch(t *testing.T) {
	then := does("then", &ir.PassOn{})
	branch := ir.NewCondition(&ir.SaysDone{X: ir.OutputAccess(ir.NewOutput("verdict"))}, then)
	if branch.Key.Text.Value != "verdict says done" || branch.Condition() != branch.Key.Root {
		t.Errorf("the condition is %q", branch.Key.Text.Value)
	}
	if branch.ThenBody().Tasks[0] != then || branch.Default == nil || len(branch.Default.Tasks) > 0 {
		t.Error("a condition that does not hold does something, or one that holds does nothing")
	}
	if branch.ArmBody("false") != nil || (&ir.Branch{}).ThenBody() != nil || (&ir.Branch{}).Condition() != nil {
		t.Error("a branch has what is not there")
	}
}

func TestItemsOfALoop(t *testing.T) {
	path := &ir.ContextPath{Text: ir.Text{Value: "context.order.items"}, Path: []ir.Text{{Value: "order"}, {Value: "items"}}}
	inContext := &ir.Loop{Over: path.Access(ir.Type{}, nil)}
	items := inContext.ItemsPath()
	if items.Value != path.Value || !slices.Equal(ir.Values(items.Path), []string{"order", "items"}) {
		t.Errorf("the items are at %v", items)
	}
	written := &ir.Loop{Over: &ir.ListOf{Kind: ir.ListPlan, Of: ir.NewOutput("plan")}}
	if written.ItemsPath() != nil || !written.IsForEach() || (&ir.Loop{}).ItemsPath() != nil || (&ir.Loop{}).IsForEach() {
		t.Error("a loop without a place in the context has one, or a loop without items has some")
	}
}

func TestLoopsThatEndByReturn(t *testing.T) {
	for _, c := range []struct {
		name string
		loop *ir.Loop
		want bool
	}{
		{"nothing else", &ir.Loop{Width: 1}, true},
		{"a bound", &ir.Loop{Max: 3}, false},
		{"items", &ir.Loop{Over: &ir.ListOf{}}, false},
		{"an exit", &ir.Loop{Exit: &ir.Formula{}}, false},
		{"a function", &ir.Loop{Func: &ir.Func{}}, false},
	} {
		if got := c.loop.EndsByReturn(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestPassedOnValue(t *testing.T) {
	given := ir.InputAccess()
	if got := (&ir.Task{Input: ir.ExpressionDatum(given)}).InputExpression(); got != given {
		t.Errorf("got %v", got)
	}
	for _, input := range []*ir.Datum{nil, {Kind: ir.DatumJSON, JSON: "1"}} {
		if got := (&ir.Task{Input: input}).InputExpression(); got != nil {
			t.Errorf("%v: got %v", input, got)
		}
	}
}
