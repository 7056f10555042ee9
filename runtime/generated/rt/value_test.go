package rt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// readAny reads every value as encoding/json does with UseNumber.
func readAny(v *rt.JSON) any {
	raw := v.Raw()
	switch raw[0] {
	case '{':
		object := map[string]any{}
		for name, member := range v.Members() {
			object[name] = readAny(member)
		}
		return object
	case '[':
		list := make([]any, v.Len())
		for i, item := range v.Items() {
			list[i] = readAny(item)
		}
		return list
	case '"':
		return v.Text()
	case 't', 'f':
		return v.Bool()
	case 'n':
		return nil
	}

	return json.Number(raw)
}

func TestWhatIsNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "the value is not JSON at byte 0: found the end, expected a value",
		"  ":                           "the value is not JSON at byte 2: found the end, expected a value",
		"{} x":                         `the value is not JSON at byte 3: found "x", expected the end`,
		"[1,]":                         `[1] is not JSON at byte 3: found "]", expected a value`,
		"[1 2]":                        `the value is not JSON at byte 3: found "2", expected "," or "]"`,
		`{"a":1,}`:                     `the value is not JSON at byte 7: found "}", expected the name of a member in quotes`,
		`{"a" 1}`:                      `the value is not JSON at byte 5: found "1", expected ":"`,
		`{'a': 1}`:                     `the value is not JSON at byte 1: found "'", expected the name of a member in quotes`,
		`"a`:                           "the value is not JSON at byte 2: found the end, expected a closing quote",
		"\"a\tb\"":                     `the value is not JSON at byte 2: a string has a tab, which is written \t`,
		"\"a\nb\"":                     `the value is not JSON at byte 2: a string has a line break, which is written \n`,
		"\"a\x01b\"":                   `the value is not JSON at byte 2: a string has the control character U+0001, which is written \u0001`,
		`"\x"`:                         `the value is not JSON at byte 2: found "x", expected one of "\/bfnrtu behind the backslash; a backslash itself is written \\`,
		`"\u12"`:                       `the value is not JSON at byte 2: found "u", expected four hexadecimal digits behind \u`,
		`"\ud800"`:                     `the value is not JSON at byte 2: found "u", expected both halves of a surrogate pair`,
		`"\ude00\ud83d"`:               `the value is not JSON at byte 2: found "u", expected both halves of a surrogate pair`,
		"01":                           `the value is not JSON at byte 1: found "1", expected the end`,
		"-":                            "the value is not JSON at byte 1: found the end, expected a digit",
		"1.":                           "the value is not JSON at byte 2: found the end, expected a digit",
		"1e+":                          "the value is not JSON at byte 3: found the end, expected a digit",
		"+1":                           `the value is not JSON at byte 0: found "+", expected a value`,
		"NaN":                          `the value is not JSON at byte 0: found "N", expected a value`,
		"nul":                          `the value is not JSON at byte 0: found "n", expected a value`,
		"\ufeff{}":                     "the value is not JSON at byte 0: found \"\ufeff\", expected a value",
		"\"\xff\"":                     "the value is not JSON: it holds bytes that are not UTF-8",
		`{"a":[0,{"b":tru}]}`:          `a[1].b is not JSON at byte 13: found "t", expected a value`,
		`{"a":1,"\u0061":2}`:           "a is there twice: each member may occur once",
		`[{"x y":1,"x y":1}]`:          `[0]["x y"] is there twice: each member may occur once`,
		"{" + members(20) + `,"m7":0}`: "m7 is there twice: each member may occur once",
	} {
		_, err := rt.Reader[any](readAny).Decode([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func members(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = `"m` + strconv.Itoa(i) + `":0`
	}

	return strings.Join(all, ",")
}

func TestDepthAndSizeAreBounded(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := rt.Reader[any](readAny).Decode(nested(1000)); err != nil {
		t.Error(err)
	}
	_, err := rt.Reader[any](readAny).Decode(nested(1001))
	if err == nil || !strings.HasPrefix(err.Error(), "[0][0]") || !strings.HasSuffix(err.Error(), "… is nested more than 1000 deep") ||
		len(err.Error()) > 300 {
		t.Error(err)
	}
	_, err = rt.Reader[any](readAny).Decode(make([]byte, 16<<20+1))
	if err == nil || err.Error() != "found 16777217 bytes of JSON, expected at most 16777216" {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	got, err := rt.Reader[string]((*rt.JSON).Text).Decode([]byte(` "\"\\\/\b\f\n\r\tä\u00e4\ud83d\ude00\u0000x" `))
	if want := "\"\\/\b\f\n\r\tää😀\x00x"; err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestInt(t *testing.T) {
	const outside = "expected a whole number from -9223372036854775808 to 9223372036854775807"
	for text, want := range map[string]any{
		"0": int64(0), "-0": int64(0), "0.0e5": int64(0), "0e999999999999": int64(0), "7": int64(7), "1.0": int64(1),
		"1e3": int64(1000), "120e-1": int64(12), "-1.50E1": int64(-15),
		"9223372036854775807": int64(math.MaxInt64), "-9223372036854775808": int64(math.MinInt64),
		"922337203685477580.7e1": int64(math.MaxInt64), "9223372036854775807.0": int64(math.MaxInt64),
		"9223372036854775808": "found 9223372036854775808, " + outside, "-9223372036854775809": "found -9223372036854775809, " + outside,
		"1e19": "found 1e19, " + outside, "1e99999999999999999999": "found 1e99999999999999999999, " + outside,
		"1.5": "found 1.5, expected a whole number", "1e-1": "found 1e-1, expected a whole number",
		`"1"`: `found "1", expected a whole number`, "null": "found null, expected a whole number",
	} {
		got, err := rt.Reader[int64]((*rt.JSON).Int).Decode([]byte(text))
		if problem, bad := want.(string); bad && (err == nil || err.Error() != problem) || !bad && (err != nil || got != want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestFloat(t *testing.T) {
	const outside = "expected a number from -1.7976931348623157e+308 to 1.7976931348623157e+308"
	for text, want := range map[string]any{
		"0": 0.0, "0.1": 0.1, "0.10": 0.1, "1e3": 1000.0, "123456789012345": 123456789012345.0, "5e-324": 5e-324,
		"9007199254740992": 9007199254740992.0, "1.7976931348623157e308": math.MaxFloat64, "100000000000000000000": 1e20, "0e99999": 0.0,
		"9007199254740993":      "found 9007199254740993, expected a number with fewer digits, such as 9.007199254740992e+15",
		"0.1234567890123456789": "found 0.1234567890123456789, expected a number with fewer digits, such as 0.12345678901234568",
		"1e-400":                "found 1e-400, expected a number with fewer digits, such as 0",
		"1e309":                 "found 1e309, " + outside, "-1e999999999999": "found -1e999999999999, " + outside,
		"true": "found true, expected a number",
	} {
		got, err := rt.Reader[float64]((*rt.JSON).Float).Decode([]byte(text))
		if problem, bad := want.(string); bad && (err == nil || err.Error() != problem) || !bad && (err != nil || got != want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestMultipleOf(t *testing.T) {
	for _, c := range []struct {
		f    float64
		step string
		want bool
	}{
		{0.3, "0.1", true}, {0.07, "0.01", true}, {0.075, "0.01", false}, {0, "3", true}, {-9, "3", true}, {1e22, "3", false},
		{1e-7, "1e-7", true}, {5e-324, "1e-324", true}, {1e308, "0.001", true}, {math.Inf(1), "1", false}, {1, "0", false},
	} {
		read := func(v *rt.JSON) bool { return v.MultipleOf(c.step) }
		if got, _ := rt.Reader[bool](read).Decode([]byte(fmt.Sprint(c.f))); got != c.want {
			t.Errorf("%v of %s: %v", c.f, c.step, got)
		}
	}
}

func TestDistinct(t *testing.T) {
	for text, want := range map[string]bool{
		"[]": true, "[1,2]": true, "[1,1.0]": false, "[10,1e1]": false, "[0,-0]": false, `["a","\u0061"]`: false, `["1",1]`: true,
		`[{"a":1,"b":[2]},{"b":[2.0],"a":1}]`: false, `[{"a":1},{"b":1}]`: true, "[null,false,0]": true, "[[1],[1]]": false,
		"[1e99999999999999999999,2e99999999999999999999]": true, `["\",\"","a"]`: true, "3": true,
	} {
		got, err := rt.Reader[bool]((*rt.JSON).Distinct).Decode([]byte(text))
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

type order struct {
	Name  string  `json:"name"`
	Lines []int64 `json:"lines"`
}

func readOrder(v *rt.JSON) order {
	var out order
	for name, f := range v.Members() {
		switch name {
		case "name":
			out.Name = f.Text()
			if out.Name == "" {
				f.Want("text of at least 1 character")
			}
		case "lines":
			out.Lines = make([]int64, f.Len())
			for i, item := range f.Items() {
				out.Lines[i] = item.Int()
				if out.Lines[i] < 1 {
					item.Want("a whole number of at least 1")
				}
			}
		default:
			f.Unknown("name", "lines")
		}
	}
	v.Require("name", "lines")

	return out
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"x","lines":[1,2]}`: "",
		`[]`:                         "found a list of 0 items, expected an object",
		`{}`:                         "name is required, but missing; lines is required, but missing",
		`{"lines":[0,"x",1,null],"name":""}`: `lines[0]: found 0, expected a whole number of at least 1; ` +
			`lines[1]: found "x", expected a whole number; lines[3]: found null, expected a whole number; ` +
			`name: found "", expected text of at least 1 character`,
		`{"nam":1,"x\"y":{},"größe":1,"lines":{}}`: `nam is not known here: the object may have "name", "lines"; ` +
			`["x\"y"] is not known here: the object may have "name", "lines"; größe is not known here: the object may have "name", "lines"; ` +
			`lines: found an object, expected a list; name is required, but missing`,
		`{"name":"x","lines":[0,0,0,0,0,0,0,0,0,0]}`: strings.Repeat(`; lines[?]: found 0, expected a whole number of at least 1`, 8)[2:] + "; and 2 more",
		`{"name":[1],"lines":"` + strings.Repeat(`\n`, 70) + `"}`: `name: found a list of 1 item, expected text; ` +
			`lines: found "` + strings.Repeat(`\n`, 59) + `…" (70 characters), expected a list`,
		`{"name":1` + strings.Repeat("0", 80) + `,"lines":[]}`: `name: found 1` + strings.Repeat("0", 59) + `…, expected text`,
	} {
		for i := range 8 {
			want = strings.Replace(want, "[?]", "["+strconv.Itoa(i)+"]", 1)
		}
		_, err := rt.Reader[order](readOrder).Decode([]byte(text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestValueErrorSaysWhere(t *testing.T) {
	_, err := rt.Reader[order](readOrder).Decode([]byte(`{"name":"x","lines":[1,0,-1]}`))
	var problem *runtime.ValueError
	if !errors.As(err, &problem) {
		t.Fatal(err)
	}
	want := runtime.ValueError{Path: "lines[1]", Problem: "found 0, expected a whole number of at least 1",
		Others: []runtime.ValueProblem{{Path: "lines[2]", Problem: "found -1, expected a whole number of at least 1"}}}
	if !reflect.DeepEqual(*problem, want) {
		t.Errorf("got %+v", *problem)
	}
}

func TestEncode(t *testing.T) {
	type fields struct {
		A string `json:"a"`
	}
	for _, c := range []struct {
		fields, additional any
		want               string
	}{
		{fields{"<&>"}, nil, `{"a":"<&>"}`},
		{fields{"x"}, map[string]int(nil), `{"a":"x"}`},
		{fields{"x"}, map[string]any{"c": "<", "b": 1}, `{"a":"x","b":1,"c":"<"}`},
		{struct{}{}, map[string]int{"b": 1}, `{"b":1}`},
		{runtime.Nullable[string]{Null: true, Value: "x"}, nil, "null"},
		{runtime.Nullable[string]{Value: "x>"}, nil, `"x>"`},
	} {
		got, err := rt.EncodeObject(c.fields, c.additional)
		if err != nil || string(got) != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}

	var problem *runtime.ValueError
	if _, err := rt.EncodeObject(fields{"x"}, map[string]int{"a": 1}); !errors.As(err, &problem) || problem.Path != "a" {
		t.Errorf("a name that occurs twice: %v", err)
	}
	if _, err := rt.EncodeObject(fields{"x"}, math.NaN()); err == nil {
		t.Error("NaN was encoded")
	}
	if raw, err := rt.Reader[order](readOrder).Encode(order{"<x>", []int64{1}}); err != nil || string(raw) != `{"name":"<x>","lines":[1]}` {
		t.Errorf("got %s, %v", raw, err)
	}
	if _, err := rt.Reader[order](readOrder).Encode(order{Name: "x"}); !errors.As(err, &problem) || problem.Path != "lines" {
		t.Errorf("a value that does not fit: %v", err)
	}
	if _, err := rt.Reader[float64]((*rt.JSON).Float).Encode(math.Inf(1)); err == nil || errors.As(err, &problem) {
		t.Errorf("infinity: %v", err)
	}
}

func TestMembersWithDefaults(t *testing.T) {
	members := func(defaults ...string) rt.Reader[string] {
		return func(v *rt.JSON) string {
			var all string
			for name, f := range v.Members(defaults...) {
				all += name + "=" + f.Literal() + " "
			}
			return all
		}
	}
	got, err := members("c", `{"x":[]}`, "a", "3", "d", `"y"`).Decode([]byte(`{"b":1,"a":2}`))
	if want := `b=1 a=2 c={"x":[]} d="y" `; got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a default that is not JSON was taken")
		}
	}()
	got, err = members("a", "{").Decode([]byte(`{}`))
	t.Errorf("got %q, %v", got, err)
}

// FuzzValue compares with encoding/json: what is accepted is JSON and means the same; what is
// refused is not, or is refused on purpose.
func FuzzValue(f *testing.F) {
	for _, seed := range []string{
		`{"name":"x","lines":[1,2.0,1e3]}`, `[null,true,false,"\ud83d\ude00\u0000",-0.5e-3]`, `{"a":1,"a":2}`, `"\ud800"`, "01", "\xff",
		strings.Repeat("[", 1001) + strings.Repeat("]", 1001),
	} {
		f.Add([]byte(seed))
	}
	onPurpose := []string{"is there twice", "surrogate pair", "nested more than", "not UTF-8"}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := rt.Reader[any](readAny).Decode(raw)
		if err != nil {
			wanted := !json.Valid(raw)
			for _, part := range onPurpose {
				wanted = wanted || strings.Contains(err.Error(), part)
			}
			if !wanted {
				t.Fatalf("%q is JSON, but: %v", raw, err)
			}
			return
		}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("%q is not JSON: %v", raw, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %#v, want %#v", raw, got, want)
		}
		// Whatever it is, reading it as something makes a value or a problem, and no panic.
		_, _ = rt.Reader[order](readOrder).Decode(raw)
		_, _ = rt.Reader[int64]((*rt.JSON).Int).Decode(raw)
		_, _ = rt.Reader[float64]((*rt.JSON).Float).Decode(raw)
		_, _ = rt.Reader[bool]((*rt.JSON).Distinct).Decode(raw)
	})
}

// Arguments as models write them, and a value that is mostly numbers.
var orderTexts = map[string][]byte{
	"small": []byte(`{"name": "a name of some length", "lines": [12, 7]}`),
	"large": []byte(`{"name": "a name of some length", "lines": [` + strings.Repeat("12345, ", 999) + `1]}`),
}

func BenchmarkReader(b *testing.B) {
	for name, text := range orderTexts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rt.Reader[order](readOrder).Decode(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecodeEncodingJSON is what the same costs without checks.
func BenchmarkDecodeEncodingJSON(b *testing.B) {
	for name, text := range orderTexts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var out order
				if err := json.Unmarshal(text, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestEncodeEmpty(t *testing.T) {
	names := rt.Reader[[]string](func(v *rt.JSON) []string { return rt.ListOf(v, (*rt.JSON).Text) })
	counts := rt.Reader[map[string]int64](func(v *rt.JSON) map[string]int64 { return rt.MapOf(v, (*rt.JSON).Int) })
	perhaps := rt.Reader[[]string](func(v *rt.JSON) []string { return rt.UnlessNull(v, names) })
	for want, encode := range map[string]func() (json.RawMessage, error){
		"[]":      func() (json.RawMessage, error) { return names.Encode(nil) },
		"{}":      func() (json.RawMessage, error) { return counts.Encode(nil) },
		"null":    func() (json.RawMessage, error) { return perhaps.Encode(nil) },
		`["a"]`:   func() (json.RawMessage, error) { return perhaps.Encode([]string{"a"}) },
		`{"a":1}`: func() (json.RawMessage, error) { return counts.Encode(map[string]int64{"a": 1}) },
	} {
		if raw, err := encode(); err != nil || string(raw) != want {
			t.Errorf("%s, %v; want %s", raw, err, want)
		}
	}
}

func TestPointerOf(t *testing.T) {
	read := rt.Reader[*runtime.Nullable[int64]](func(v *rt.JSON) *runtime.Nullable[int64] {
		return rt.NullableOf(v, (*rt.JSON).Int)
	})
	if n, err := read.Decode([]byte("null")); err != nil || !n.Null {
		t.Errorf("null: %v, %v", n, err)
	}
	if n, err := read.Decode([]byte("7")); err != nil || n.Null || n.Value != 7 {
		t.Errorf("7: %v, %v", n, err)
	}
	pointer := rt.Reader[*bool](func(v *rt.JSON) *bool { return rt.PointerOf(v, (*rt.JSON).Bool) })
	if p, err := pointer.Decode([]byte("null")); err != nil || p != nil {
		t.Errorf("null: %v, %v", p, err)
	}
	if p, err := pointer.Decode([]byte("true")); err != nil || p == nil || !*p {
		t.Errorf("true: %v, %v", p, err)
	}
}
