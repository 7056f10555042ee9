package core_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// thousand are the items of a large group.
func thousand() []string {
	items := make([]string, 1000)
	for i := range items {
		items[i] = strconv.Itoa(i)
	}

	return items
}

// TestLargeGroup: a thousand branches run at most a hundred at a time, and each result stands in
// its place.
func TestLargeGroup(t *testing.T) {
	var now, most atomic.Int64
	llm := func(_ context.Context, r model.Request) (model.Reply, error) {
		running := now.Add(1)
		defer now.Add(-1)
		for seen := most.Load(); running > seen && !most.CompareAndSwap(seen, running); seen = most.Load() {
		}

		return model.Reply{Text: "said " + r.Input}, nil
	}
	fx, err := core.New(core.Config{Model: model.ProviderFunc(llm)}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	worker := &rt.OneshotSpec{Agent: "worker", Prompt: "Say."}
	results, err := rt.Flow("research").ForEach(fx, 100, thousand(),
		func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			if item == "7" {
				panic("bang")
			}

			return worker.Run(fx, item)
		})

	if err != nil || len(results) != 1000 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for i, r := range results {
		switch {
		case r.Name != strconv.Itoa(i):
			t.Errorf("branch %d is called %q", i, r.Name)
		case i == 7:
			var panicked *runtime.PanicError
			if !errors.As(r.Err, &panicked) || panicked.Where != "branch 7" {
				t.Errorf("the branch that panicked: %v", r.Err)
			}
		case r.Err != nil || r.Finish.Value != "said "+r.Name:
			t.Errorf("branch %d: %+v", i, r)
		}
	}
	if most.Load() > 100 {
		t.Errorf("%d branches at a time", most.Load())
	}
}

// TestLargeGroupIsCancelled: midway the cause is returned, no more branches begin than the limit
// lets run, and those that wait for their model do not hold the run.
func TestLargeGroupIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	cause := errors.New("enough")
	var began atomic.Int64
	llm := func(ctx context.Context, r model.Request) (model.Reply, error) {
		if n, _ := strconv.Atoi(r.Input); n < 400 {
			return model.Reply{Text: "said"}, nil
		}
		if began.Load() == 500 { // a hundred of them wait
			cancel(cause)
		}
		<-ctx.Done()

		return model.Reply{}, &model.Error{Class: model.Network, Err: ctx.Err()}
	}
	fx, err := core.New(core.Config{Model: model.ProviderFunc(llm)}).Effects(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	worker := &rt.OneshotSpec{Agent: "worker", Prompt: "Say."}
	results, err := rt.Flow("research").ForEach(fx, 100, thousand(),
		func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			began.Add(1)

			return worker.Run(fx, item)
		})

	if results != nil || err != cause {
		t.Errorf("got %d results, %v", len(results), err)
	}
	if n := began.Load(); n != 500 {
		t.Errorf("%d branches began", n)
	}
}

// TestBranchesOfGroupsLeave: a branch that leaves its goroutine fails, three groups deep too, and
// no other does.
func TestBranchesOfGroupsLeave(t *testing.T) {
	fx, err := core.New(core.Config{}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var deep func(depth int) rt.RunFunc
	deep = func(depth int) rt.RunFunc {
		return func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			switch {
			case item == "leaves":
				(&testing.T{}).SkipNow()
			case depth == 0 || item == "stays":
				return runtime.Finish{Value: item}, nil
			}
			results, err := rt.Flow("main").ForEach(fx, 1, []string{"leaves", "goes on", "stays"}, deep(depth-1))

			return results.Object(), err
		}
	}
	fin, err := deep(3)(fx, "goes on", rt.Place{})
	const failed = `"_failed":{"leaves":"branch 0 panicked: the goroutine was left by runtime.Goexit"}}`
	const want = `{"goes on":{"goes on":{"goes on":"goes on","stays":"stays",` + failed + `,"stays":"stays",` + failed +
		`,"stays":"stays",` + failed
	if err != nil || fin.Value != want {
		t.Errorf("got %s, %v", fin.Value, err)
	}
}
