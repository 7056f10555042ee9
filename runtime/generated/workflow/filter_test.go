package workflow_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
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
		if rendered := workflow.Text(valueOf(x).String()); (isNumber(x) || isText(x)) && !valueOf(x).Equal(rendered) {
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
		"join":             {list.Join(", "), `"a, 1, , True, [\"x\"]"`},
		"join nothing":     {workflow.List().Join(", "), `""`},
		"join text":        {workflow.Text("ab").Join("-"), `"ab"`},
		"join none":        {workflow.Value{}.Join("-"), "null"},
		"upper":            {workflow.Text("é1").UpperText(), `"É1"`},
		"upper list":       {lines.UpperText(), `"[\"É\",\"B\"]"`},
		"upper true":       {workflow.Of(true).UpperText(), `"TRUE"`},
		"upper none":       {workflow.Value{}.UpperText(), "null"},
		"lower":            {workflow.Text("ÉA").LowerText(), `"éa"`},
		"lower number":     {workflow.Of(1e22).LowerText(), `"1e+22"`},
		"lower none":       {workflow.Value{}.LowerText(), "null"},
		"length list":      {list.Length(), "5"},
		"length object":    {valueOf(object{{"a", nil}}).Length(), "1"},
		"length text":      {workflow.Text("é日😀").Length(), "3"},
		"length number":    {workflow.Int(123).Length(), "0"},
		"length none":      {workflow.Value{}.Length(), "0"},
		"tojson text":      {workflow.Text("a\n").JSONText(), `"\"a\\n\""`},
		"tojson none":      {workflow.Value{}.JSONText(), `"null"`},
		"tojson false":     {workflow.Of(false).JSONText(), `"false"`},
		"default none":     {workflow.Value{}.Or(workflow.Text("d")), `"d"`},
		"default empty":    {workflow.Text("").Or(workflow.Text("d")), `"d"`},
		"default false":    {workflow.Of(false).Or(workflow.Text("d")), "false"},
		"default 0":        {workflow.Int(0).Or(workflow.Text("d")), "0"},
		"default of upper": {workflow.Value{}.UpperText().Or(workflow.Text("d")), `"d"`},
		"default list":     {workflow.List().Or(workflow.Text("d")), `"d"`},
		"default object":   {workflow.Object().Or(workflow.Text("d")), `"d"`},
		"default of items": {list.Or(workflow.Text("d")), list.JSON()},
		"trim":             {workflow.Text(" \té b\n").TrimText(), `"é b"`},
		"trim none":        {workflow.Value{}.TrimText(), "null"},
		"trim number":      {workflow.Int(7).TrimText(), `"7"`},
		"replace":          {workflow.Text("a-b-é").ReplaceText("-", ", "), `"a, b, é"`},
		"replace nothing":  {workflow.Text("ab").ReplaceText("", "x"), `"ab"`},
		"replace number":   {workflow.Of(1.5).ReplaceText(".", ","), `"1,5"`},
		"replace none":     {workflow.Value{}.ReplaceText("a", "b"), "null"},
		"truncate":         {workflow.Text("é日😀b").TruncateText(3), `"é日…"`},
		"truncate fits":    {workflow.Text("é日😀").TruncateText(3), `"é日😀"`},
		"truncate to one":  {workflow.Text("ab").TruncateText(1), `"…"`},
		"truncate broken":  {workflow.Text("\xff\xff\xff").TruncateText(2), `"\ufffd…"`},
		"truncate number":  {workflow.Int(12345).TruncateText(3), `"12…"`},
		"truncate none":    {workflow.Value{}.TruncateText(3), "null"},
		"first":            {list.First(), `"a"`},
		"first of nothing": {workflow.List().First(), "null"},
		"first of text":    {workflow.Text("ab").First(), `"ab"`},
		"last":             {list.Last(), `["x"]`},
		"last of nothing":  {workflow.List().Last(), "null"},
		"last of none":     {workflow.Value{}.Last(), "null"},
		"round":            {workflow.Of(2.5).Round(0), "3"},
		"round down":       {workflow.Of(2.4999).Round(0), "2"},
		"round negative":   {workflow.Of(-2.5).Round(0), "-3"},
		"round to zero":    {workflow.Of(-0.4).Round(0), "0"},
		"round cents":      {workflow.Of(1.005).Round(2), "1.01"},
		"round carries":    {workflow.Of(9.999).Round(2), "10"},
		"round integer":    {workflow.Int(7).Round(2), "7"},
		"round large":      {workflow.Of(1e300).Round(2), "1e+300"},
		"round tiny":       {workflow.Of(1e-300).Round(15), "0"},
		"round text":       {workflow.Text("2.5").Round(0), `"2.5"`},
		"round none":       {workflow.Value{}.Round(0), "null"},
		"or":               {workflow.Value{}.Or(workflow.Text(""), workflow.List(), workflow.Int(1)), "1"},
		"or alone":         {workflow.List().Or(), "[]"},
		"or space":         {workflow.Text(" ").Or(workflow.Int(1)), `" "`},
		"or nothing":       {workflow.Value{}.Or(workflow.Text("")), "null"},
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
		if got, _ := workflow.List(items...).Join(sep).AsText(); got != strings.Join(texts, sep) {
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
		"or, in none":          {workflow.Value{}.GetOr("x", workflow.Int(1)), "null"},
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
	for _, v := range []workflow.Value{workflow.Value{}, workflow.Text("x"), workflow.Int(3), v} {
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
