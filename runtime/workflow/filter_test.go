package workflow_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/workflow"
)

func TestRendering(t *testing.T) {
	for _, c := range []struct {
		value tree
		want  string
	}{
		{nil, ""},
		{true, "True"},
		{false, "False"},
		{"text {{ context.x }} as it is\n", "text {{ context.x }} as it is\n"},
		{int64(-7), "-7"},
		{7.0, "7"},
		{0.1, "0.1"},
		{1e21, "1e+21"},
		{[]any{}, "[]"},
		{object{}, "{}"},
		{
			[]any{nil, true, "<a & \"b\">", 1.5, object{{"z", "ä"}, {"a", []any{int64(1)}}}},
			`[null,true,"<a & \"b\">",1.5,{"z":"ä","a":[1]}]`,
		},
	} {
		if got := valueOf(c.value).String(); got != c.want {
			t.Errorf("got %s, expected %s", got, c.want)
		}
	}
}

// TestScalarsRenderAsTheyCompare: what renders a number reads as that number, and text is itself.
func TestScalarsRenderAsTheyCompare(t *testing.T) {
	repeat(3000, func(r *rand.Rand) {
		x := randomScalar(r)
		if rendered := workflow.Text(valueOf(x).String()); (isNumber(x) || isText(x)) && !workflow.Equal(valueOf(x), rendered) {
			t.Errorf("%#v renders as %s", x, rendered)
		}
	})
}

func TestFilters(t *testing.T) {
	list := valueOf([]any{"a", int64(1), nil, true, []any{"x"}})
	lines := workflow.List(workflow.Text("é"), workflow.Text("b"))
	for name, c := range map[string]struct {
		got  workflow.Value
		want string
	}{
		"join":             {workflow.Join(list, ", "), `"a, 1, , True, [\"x\"]"`},
		"join nothing":     {workflow.Join(workflow.List(), ", "), `""`},
		"join text":        {workflow.Join(workflow.Text("ab"), "-"), `"ab"`},
		"join none":        {workflow.Join(workflow.None, "-"), "null"},
		"upper":            {workflow.Upper(workflow.Text("é1")), `"É1"`},
		"upper list":       {workflow.Upper(lines), `"[\"É\",\"B\"]"`},
		"upper true":       {workflow.Upper(workflow.Bool(true)), `"TRUE"`},
		"upper none":       {workflow.Upper(workflow.None), "null"},
		"lower":            {workflow.Lower(workflow.Text("ÉA")), `"éa"`},
		"lower number":     {workflow.Lower(workflow.Number(1e22)), `"1e+22"`},
		"lower none":       {workflow.Lower(workflow.None), "null"},
		"length list":      {workflow.Length(list), "5"},
		"length object":    {workflow.Length(valueOf(object{{"a", nil}})), "1"},
		"length text":      {workflow.Length(workflow.Text("é日😀")), "3"},
		"length number":    {workflow.Length(workflow.Int(123)), "0"},
		"length none":      {workflow.Length(workflow.None), "0"},
		"tojson text":      {workflow.JSONText(workflow.Text("a\n")), `"\"a\\n\""`},
		"tojson none":      {workflow.JSONText(workflow.None), `"null"`},
		"tojson false":     {workflow.JSONText(workflow.Bool(false)), `"false"`},
		"default none":     {workflow.Default(workflow.None, workflow.Text("d")), `"d"`},
		"default empty":    {workflow.Default(workflow.Text(""), workflow.Text("d")), `"d"`},
		"default false":    {workflow.Default(workflow.Bool(false), workflow.Text("d")), "false"},
		"default 0":        {workflow.Default(workflow.Int(0), workflow.Text("d")), "0"},
		"default of upper": {workflow.Default(workflow.Upper(workflow.None), workflow.Text("d")), `"d"`},
		"or":               {workflow.First(workflow.None, workflow.Text(""), workflow.List(), workflow.Int(1)), "[]"},
		"or space":         {workflow.First(workflow.Text(" "), workflow.Int(1)), `" "`},
		"or nothing":       {workflow.First(workflow.None, workflow.Text("")), "null"},
	} {
		if c.got.JSON() != c.want {
			t.Errorf("%s: got %s, expected %s", name, c.got.JSON(), c.want)
		}
	}
}

// TestJoinOfTexts is that of package strings.
func TestJoinOfTexts(t *testing.T) {
	repeat(1000, func(r *rand.Rand) {
		texts := make([]string, r.IntN(5))
		items := make([]workflow.Value, len(texts))
		for i := range texts {
			texts[i] = someTexts[r.IntN(len(someTexts))]
			items[i] = workflow.Text(texts[i])
		}
		sep := someTexts[r.IntN(len(someTexts))]
		if got, _ := workflow.Join(workflow.List(items...), sep).AsText(); got != strings.Join(texts, sep) {
			t.Errorf("%q with %q: %q", texts, sep, got)
		}
	})
}

func TestAccess(t *testing.T) {
	v := valueOf(object{{"a", object{{"b", []any{"x", nil}}}}, {"none", nil}, {"", "empty"}})
	for name, c := range map[string]struct {
		got  workflow.Value
		want string
	}{
		"deep":                 {v.Get("a", "b"), `["x",null]`},
		"no names":             {v.Get("a", "b").Get(), `["x",null]`},
		"an empty name":        {v.Get(""), `"empty"`},
		"missing":              {v.Get("x"), "null"},
		"below missing":        {v.Get("x", "y", "z"), "null"},
		"below a text":         {v.Get("", "y"), "null"},
		"an index is no name":  {v.Get("a", "b", "0"), "null"},
		"or, where it is none": {v.GetOr("none", workflow.Int(1)), "null"},
		"or, where it is not":  {v.GetOr("x", workflow.Int(1)), "1"},
		"or, in none":          {workflow.None.GetOr("x", workflow.Int(1)), "null"},
		"or, in a text":        {workflow.Text("x").GetOr("x", workflow.Int(1)), "null"},
		"an item":              {v.Get("a", "b").At(0), `"x"`},
		"an item too many":     {v.Get("a", "b").At(2), "null"},
		"an item before":       {v.Get("a", "b").At(-1), "null"},
		"an item of a text":    {workflow.Text("x").At(0), "null"},
	} {
		if c.got.JSON() != c.want {
			t.Errorf("%s: got %s, expected %s", name, c.got.JSON(), c.want)
		}
	}
	if !v.Has("none") || v.Has("x") || workflow.Text("x").Has("x") {
		t.Error("an object has the wrong members")
	}
	for _, v := range []workflow.Value{workflow.None, workflow.Text("x"), workflow.Int(3), v} {
		for range v.Items() {
			t.Errorf("%s has items", v)
		}
	}
	for name := range valueOf([]any{"x"}).Members() {
		t.Errorf("a list has a member %q", name)
	}
	twice := valueOf(object{{"a", int64(1)}, {"b", nil}, {"a", int64(2)}})
	if twice.JSON() != `{"a":2,"b":null}` {
		t.Errorf("a member that is given twice: %s", twice)
	}
}
