package workflow_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// shelf is a context with a field of each form.
type shelf struct {
	Title string            `json:"title"`
	Count *int64            `json:"count,omitempty"`
	Tags  []string          `json:"tags,omitzero"`
	Apart []string          `json:"apart,omitzero"`
	Notes []json.RawMessage `json:"notes"`
	Any   json.RawMessage   `json:"any,omitzero"`
	Boxes []box             `json:"boxes,omitzero"`
	Inner box               `json:"inner"`
	More  map[string]int64  `json:"-"`
}

// box is an object with a default.
type box struct {
	Size int64  `json:"size"`
	Name string `json:"name"`
}

func (x shelf) MarshalJSON() ([]byte, error) {
	type fields shelf

	return rt.EncodeObject(fields(x), x.More)
}

func readShelf(v *rt.JSON) shelf {
	var out shelf
	for name, f := range v.Members("inner", `{"size":1}`, "notes", "[]") {
		switch name {
		case "title":
			out.Title = f.Text()
		case "count":
			value := f.Int()
			out.Count = &value
		case "tags":
			out.Tags = rt.ListOf(f, (*rt.JSON).Text)
			if len(out.Tags) > 6 {
				f.Want("at most 6 texts")
			}
		case "apart":
			out.Apart = rt.ListOf(f, (*rt.JSON).Text)
			if !f.Distinct() {
				f.Want("distinct texts")
			}
		case "notes":
			out.Notes = rt.ListOf(f, (*rt.JSON).Raw)
		case "any":
			out.Any = f.Raw()
		case "boxes":
			out.Boxes = rt.ListOf(f, readBox)
		case "inner":
			out.Inner = readBox(f)
		default:
			if out.More == nil {
				out.More = map[string]int64{}
			}
			out.More[name] = f.Int()
		}
	}
	v.Require("title")

	return out
}

func readBox(v *rt.JSON) box {
	var out box
	for name, f := range v.Members("name", `"box"`) {
		switch name {
		case "size":
			out.Size = f.Int()
		case "name":
			out.Name = f.Text()
		default:
			f.Unknown("size", "name")
		}
	}
	v.Require("size")

	return out
}

// shelfRun is a run with a shelf as its context.
type shelfRun struct {
	workflow.Run
	context shelf
	// whole decodes the context as a whole after each change.
	whole bool
}

func (r *shelfRun) Bind() {
	declare := workflow.Declare[shelf]
	if r.whole {
		declare = workflow.DeclareWhole[shelf]
	}
	declare(&r.Run, &r.context, readShelf, workflow.Rule{Field: []string{"boxes"}, Merge: workflow.Append})
}

// newShelf returns a run whose context is decoded as a whole, or by its changes.
func newShelf(t *testing.T, whole bool, context string) *shelfRun {
	t.Helper()
	r := &shelfRun{Run: workflow.Start(&door{}, "flow"), whole: whole}
	r.Bind()
	if err := r.Begin(json.RawMessage(context)); err != nil {
		t.Fatal(err)
	}

	return r
}

// branchOf returns a copy of a run, as a branch has it.
func branchOf(r *shelfRun) *shelfRun {
	own := *r
	own.Bind()

	return &own
}

// shelfValues are values of which most fit some field.
var shelfValues = []string{
	`null`, `"a"`, `"b <&> \u2028"`, `7`, `-1`, `1.5`, `true`, `[]`, `["a"]`, `["a", "b"]`, `["a", "a"]`, `[1, {"z": 1, "a": null}]`,
	`["1", "2", "3", "4", "5", "6", "7"]`, `{"size": 2}`, `{"name": "n", "size": 3}`, `{"size": "x"}`, `[{"size": 1}]`, `[{"name": "m", "size": 1}]`,
	`[{"size": 1}, {"size": null}]`, `{"size": 1, "depth": 2}`, `{}`,
}

// shelfNames are the names of fields, and of one that the schema does not name.
var shelfNames = []string{"title", "count", "tags", "apart", "notes", "any", "boxes", "inner", "extra"}

// changeShelf makes a random change of a run, and returns its error.
func changeShelf(t *testing.T, random *rand.Rand) func(r *shelfRun) error {
	value := parsed(t, shelfValues[random.IntN(len(shelfValues))])
	other := parsed(t, shelfValues[random.IntN(len(shelfValues))])
	name, second := shelfNames[random.IntN(len(shelfNames))], shelfNames[random.IntN(len(shelfNames))]
	switch random.IntN(20) {
	case 0:
		return func(r *shelfRun) error { return r.SetContext(value, name) }
	case 1:
		return func(r *shelfRun) error {
			return r.MergeContext(workflow.Object(workflow.Member{Name: name, Value: value}, workflow.Member{Name: second, Value: other}))
		}
	case 2:
		return func(r *shelfRun) error { return r.SetContext(value, name, second) }
	case 3:
		return func(r *shelfRun) error {
			return r.SetContext(workflow.Object(workflow.Member{Name: "title", Value: workflow.Text("t")}, workflow.Member{Name: name, Value: value}))
		}
	case 4:
		return func(r *shelfRun) error {
			_, err := r.SetAt(workflow.Text(name), value)
			return err
		}
	}

	return continueList(t, random)
}

// continueList makes a change that appends an item to a list, which mostly fits.
func continueList(t *testing.T, random *rand.Rand) func(r *shelfRun) error {
	items := []string{`"a"`, `"b"`, `"c"`, `"d"`, `"e"`, `"f"`, `1`}
	name := []string{"tags", "apart", "notes", "boxes"}[random.IntN(4)]
	if name == "boxes" {
		items = []string{`{"size": 1}`, `{"name": "n", "size": 2}`, `{"size": 3, "name": "box"}`, `{"size": null}`}
	}
	item := parsed(t, items[random.IntN(len(items))])
	if name == "boxes" { // its rule appends
		return func(r *shelfRun) error { return r.SetContext(workflow.List(item), name) }
	}

	return func(r *shelfRun) error { return r.SetContext(r.Context(name).Append(item), name) }
}

// TestChangesAreDecodedAsTheWhole: whether the changes of a context or the whole of it are decoded
// after a change makes no difference to the context, its Go value and the errors, in branches too.
func TestChangesAreDecodedAsTheWhole(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		type pair struct{ whole, changed *shelfRun }
		const begin = `{"title": "t", "tags": ["a"], "extra": 1}`
		runs := []pair{{newShelf(t, true, begin), newShelf(t, false, begin)}}
		for step := range 100 {
			at := random.IntN(len(runs))
			if random.IntN(10) == 0 && len(runs) < 6 {
				runs = append(runs, pair{branchOf(runs[at].whole), branchOf(runs[at].changed)})
			}
			change := changeShelf(t, random)
			want, got := change(runs[at].whole), change(runs[at].changed)
			if fmt.Sprint(want) != fmt.Sprint(got) {
				t.Fatalf("seed %d, step %d: the error is %v, want %v", seed, step, got, want)
			}
			for _, run := range runs {
				if text, want := run.changed.Context().JSON(), run.whole.Context().JSON(); text != want {
					t.Fatalf("seed %d, step %d: the context is %s, want %s", seed, step, text, want)
				}
				if !reflect.DeepEqual(run.changed.context, run.whole.context) {
					t.Fatalf("seed %d, step %d: the Go value is %+v, want %+v", seed, step, run.changed.context, run.whole.context)
				}
			}
		}
	}
}

// TestLargeContextIsRefused: a context that has become too large by changes is refused as one that is
// decoded as a whole.
func TestLargeContextIsRefused(t *testing.T) {
	part := workflow.Text(strings.Repeat("x", 6<<20))
	var errs []string
	for _, whole := range []bool{true, false} {
		r := newShelf(t, whole, `{"title": "t"}`)
		for _, name := range []string{"any", "title"} {
			if err := r.SetContext(part, name); err != nil {
				t.Fatal(err)
			}
		}
		errs = append(errs, fmt.Sprint(r.SetContext(r.Context("notes").Append(part), "notes")))
	}
	if errs[0] != errs[1] || !strings.Contains(errs[0], "expected at most") {
		t.Errorf("the errors are %q", errs)
	}
}

// bytesOf returns how many bytes a call allocates.
func bytesOf(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)

	return after.TotalAlloc - before.TotalAlloc
}

// TestWritesCostWhatTheyChange: a hundred writes beside a megabyte allocate at most three times what
// they do beside a kilobyte.
func TestWritesCostWhatTheyChange(t *testing.T) {
	write := func(other int) uint64 {
		r := newShelf(t, false, `{"title": "t"}`)
		words := make([]workflow.Value, other/8)
		for i := range words {
			words[i] = workflow.Text("a word")
		}
		if err := r.SetContext(workflow.List(words...), "notes"); err != nil {
			t.Fatal(err)
		}

		return bytesOf(func() {
			for i := range 100 {
				if err := r.SetContext(workflow.Int(int64(i)), "count"); err != nil {
					t.Fatal(err)
				}
				if err := r.MergeContext(parsed(t, `{"inner": {"size": 4}}`)); err != nil {
					t.Fatal(err)
				}
				if err := r.MergeContext(parsed(t, `{"boxes": [{"size": 5, "name": "n"}]}`)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	small, large := write(1<<10), write(1<<20)
	if large > 3*small {
		t.Errorf("writes beside a kilobyte allocate %d bytes, beside a megabyte %d", small, large)
	}
}

// TestAppendingTakesLinearMemory: ten times as many turns that append to a variable of a loop allocate
// about ten times as much.
func TestAppendingTakesLinearMemory(t *testing.T) {
	turns := func(n int) uint64 {
		var state workflow.Output[shelf]
		text := workflow.Text("a note")

		return bytesOf(func() {
			for range n {
				next := workflow.Object(
					workflow.Member{Name: "title", Value: workflow.Text("t")},
					workflow.Member{Name: "notes", Value: state.Value.Get("notes").Append(text)},
				)
				if err := state.Update(next, readShelf); err != nil {
					t.Fatal(err)
				}
			}
			if len(state.Data.Notes) != n || state.Value.Get("notes").Len() != n {
				t.Errorf("after %d turns there are %d and %d notes", n, len(state.Data.Notes), state.Value.Get("notes").Len())
			}
		})
	}
	few, many := turns(500), turns(5000)
	if many > 20*few {
		t.Errorf("500 turns allocate %d bytes, 5,000 turns %d", few, many)
	}
}

// TestAppendToOneList: lists that are made of the same list by appending are independent of each
// other, also in several goroutines.
func TestAppendToOneList(t *testing.T) {
	list := workflow.List()
	for i := range 10 {
		list = list.Append(workflow.Int(int64(i)))
	}
	var wait sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		wait.Add(1)
		go func() {
			defer wait.Done()
			own := list
			for range 20 {
				own = own.Append(workflow.Int(int64(i)))
			}
			texts[i] = own.JSON()
		}()
	}
	wait.Wait()
	for i, text := range texts {
		want := "[0,1,2,3,4,5,6,7,8,9" + strings.Repeat(fmt.Sprintf(",%d", i), 20) + "]"
		if text != want {
			t.Errorf("list %d is %s", i, text)
		}
	}
	if list.JSON() != "[0,1,2,3,4,5,6,7,8,9]" {
		t.Errorf("the list became %s", list)
	}
}

// TestOneListDecodedTwice: copies of an output may decode the same list, also in several goroutines.
func TestOneListDecodedTwice(t *testing.T) {
	object := func(notes workflow.Value) workflow.Value {
		return workflow.Object(workflow.Member{Name: "title", Value: workflow.Text("t")}, workflow.Member{Name: "notes", Value: notes})
	}
	var state workflow.Output[shelf]
	notes := workflow.List()
	for range 20 {
		notes = notes.Append(workflow.Text("a note"))
		if err := state.Update(object(notes), readShelf); err != nil {
			t.Fatal(err)
		}
	}
	next := object(notes.Append(workflow.Text("another")))
	var wait sync.WaitGroup
	copies := make([]workflow.Output[shelf], 4)
	for i := range copies {
		wait.Add(1)
		go func() {
			defer wait.Done()
			copies[i] = state
			if err := copies[i].Update(next, readShelf); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	for _, own := range copies {
		if last := own.Data.Notes[20]; len(own.Data.Notes) != 21 || string(last) != `"another"` {
			t.Errorf("%d notes, the last one is %s", len(own.Data.Notes), last)
		}
	}
}
