package workflow_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Where the results of measured functions go, so that they are not optimised away.
var (
	someValue workflow.Value
	someTruth bool
	someText  string
)

func TestAValueIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(workflow.Value{}); size > 32 {
		t.Errorf("%d bytes", size)
	}
}

// measured are what generated code does at every step, with how much memory each may take.
func measured(t testing.TB) map[string]struct {
	most float64
	do   func()
} {
	members := make([]string, 100)
	for i := range members {
		members[i] = fmt.Sprintf(`"m%d": %d`, i, i)
	}
	const few = `"status": "done", "score": "7.50", "n": 7, "deep": {"er": {"x": 0.5}}, "tags": ["a", "b"]`
	context, err := workflow.Parse([]byte("{" + few + "," + strings.Join(members, ",") + "}"))
	if err != nil {
		t.Fatal(err)
	}
	n, text := 7, "text"
	path := []string{"status"}
	tags, small := context.Get("tags"), context.Get("deep")

	return map[string]struct {
		most float64
		do   func()
	}{
		"Bool":         {0, func() { someValue = workflow.Of(n > 5) }},
		"Int":          {0, func() { someValue = workflow.Int(int64(n)) }},
		"Number":       {0, func() { someValue = workflow.Of(float64(n) / 2) }},
		"large Number": {0, func() { someValue = workflow.Of(float64(n) * 1e17) }},
		"Text":         {0, func() { someValue = workflow.Text(text) }},
		"Of a pointer": {0, func() { someValue = workflow.Of(&text) }},
		"Get":          {0, func() { someValue = context.Get("deep", "er", "x") }},
		"Get of many":  {0, func() { someValue = context.Get("m77") }},
		"GetOr":        {0, func() { someValue = context.GetOr("missing", workflow.Int(1)) }},
		"True":         {0, func() { someTruth = context.Get("status").True() }},
		"Equal texts":  {0, func() { someTruth = context.Get("status").Equal(workflow.Text("done")) }},
		"Equal text and number": {0, func() {
			someTruth = context.Get("score").Equal(workflow.Of(7.5))
			someTruth = context.Get("status").Equal(workflow.Int(7))
		}},
		"Equal objects": {0, func() { someTruth = context.Equal(context) }},
		"Less":          {0, func() { someTruth = workflow.Int(7).Less(context.Get("score")) }},
		"LessEqual":     {0, func() { someTruth = context.Get("n").LessEqual(context.Get("m7")) }},
		"Contains":      {0, func() { someTruth = tags.Contains(workflow.Text("b")) }},
		"StartsWith":    {0, func() { someTruth = context.Get("status").StartsWith(workflow.Text("do")) }},
		"Items": {0, func() {
			for _, item := range tags.Items() {
				someValue = item
			}
		}},
		"Members": {0, func() {
			for name := range context.Members() {
				someText = name
			}
		}},
		"First":          {0, func() { someValue = context.Get("missing").Or(context.Get("n")) }},
		"Length":         {0, func() { someValue = tags.Length() }},
		"String of text": {0, func() { someText = context.Get("status").String() }},
		"JSON":           {2, func() { someText = tags.JSON() }},
		"Set":            {2, func() { someValue, _ = context.Set(path, workflow.Text("open")) }},
		"Set of few":     {3, func() { someValue, _ = small.Set(path[:1], workflow.Text("open")) }},
		"List":           {2, func() { someValue = workflow.List(workflow.Int(1), workflow.Text(text)) }},
	}
}

// TestMemory: what is asked of values takes none; what makes a list or an object takes that of one.
func TestMemory(t *testing.T) {
	for name, c := range measured(t) {
		if got := testing.AllocsPerRun(100, c.do); got > c.most {
			t.Errorf("%s: %.0f allocations, expected at most %.0f", name, got, c.most)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	for name, c := range measured(b) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.do()
			}
		})
	}
}

// BenchmarkParse beside what an interface would take.
func BenchmarkParse(b *testing.B) {
	const item = `{"name": "a name", "n": 17, "tags": ["x", "y"], "ok": true}`
	raw := []byte(`{"items": [` + strings.Repeat(item+",", 99) + item + "]}")
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := workflow.Parse(raw)
		if err != nil {
			b.Fatal(err)
		}
		someValue = v
	}
}

func BenchmarkJSON(b *testing.B) {
	const item = `{"name": "a \"name\"\n", "n": 17.25, "ok": true}`
	v, err := workflow.Parse([]byte("[" + strings.Repeat(item+",", 99) + item + "]"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		someText = v.JSON()
	}
}

func BenchmarkMergeBranches(b *testing.B) {
	var members []workflow.Member
	for i := range 200 {
		members = append(members, workflow.Member{Name: fmt.Sprint("m", i), Value: workflow.List(workflow.Int(int64(i)))})
	}
	base := workflow.Object(members...)
	branches := make([]workflow.Value, 8)
	for i := range branches {
		v, err := base.Set([]string{fmt.Sprint("m", i)}, workflow.Int(0))
		if err != nil {
			b.Fatal(err)
		}
		branches[i] = v
	}
	b.ReportAllocs()
	for b.Loop() {
		someValue, _ = workflow.MergeBranches(base, branches, workflow.KeepNeither)
	}
}
