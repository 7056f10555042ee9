package workflow_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// compacted is what encoding/json makes of JSON: the same for two texts that mean the same but for
// white space and escapes.
func compacted(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		raw, err := json.Marshal(token)
		if _, ok := token.(json.Delim); ok {
			raw, err = []byte(strconv.Quote(token.(json.Delim).String())), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, ' '))
	}

	return b.String()
}

// TestJSONMeansWhatEncodingJSONWrites: random values are written as encoding/json writes them but
// for escapes, and read back.
func TestJSONMeansWhatEncodingJSONWrites(t *testing.T) {
	repeat(4_000, func(r *rand.Rand) {
		x := randomTree(r, 4)
		v, want := valueOf(x), jsonOf(t, x)
		got := v.JSON()
		if compacted(t, got) != compacted(t, want) || !json.Valid([]byte(got)) {
			t.Errorf("got %s, expected %s", got, want)
		}
		back, err := workflow.Parse([]byte(want))
		if err != nil || back.JSON() != got || !reflect.DeepEqual(treeOf(back), treeOf(v)) {
			t.Errorf("%s was read as %s, %v", want, back.JSON(), err)
		}
		if !wantSame(treeOf(v), x) {
			t.Errorf("%s was built as %s", want, got)
		}
	})
}

// TestNumbersAreWrittenAsEncodingJSONDoes, digit for digit.
func TestNumbersAreWrittenAsEncodingJSONDoes(t *testing.T) {
	repeat(20_000, func(r *rand.Rand) {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		for _, f := range []float64{f, math.Round(f), float64(r.IntN(1e6)) / 100} {
			want, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			if math.Trunc(f) == 0 && math.Signbit(f) && f == 0 {
				want = []byte("0")
			}
			v := workflow.Of(f)
			if got := v.JSON(); got != string(want) || v.String() != got {
				t.Errorf("%s was written %s", want, got)
			}
			if back, err := workflow.Parse(want); err != nil || !back.Equal(v) {
				t.Errorf("%s was read as %v, %v", want, back, err)
			}
		}
	})
}

func TestOneNumberHasOneForm(t *testing.T) {
	for text, want := range map[string]string{
		"1.0": "1", "1e3": "1000", "-0": "0", "-0.0": "0", "120e-1": "12", "0.50": "0.5", "1E+2": "100",
		"1e18":                "1000000000000000000",
		"9223372036854775807": "9223372036854775807", "-9223372036854775808": "-9223372036854775808",
		"1e19": "10000000000000000000", "1e22": "1e+22", "0.0000001": "1e-7",
	} {
		v, err := workflow.Parse([]byte(text))
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v", text, v, err)
		}
	}
	if n, ok := workflow.Of(5).AsInt(); !ok || n != 5 {
		t.Error("5.0 is not a whole number")
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if !workflow.Of(f).IsNone() {
			t.Errorf("%v is a value", f)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "the value is not JSON at byte 0: found the end, expected a value",
		`{"a": [1, nan]}`:        `a[1] is not JSON at byte 10: found "n", expected a value`,
		`{"a": 1, "a": 2}`:       "a is there twice: each member may occur once",
		`[12345678901234567890]`: "[0]: found 12345678901234567890, expected a number with fewer digits, such as 1.2345678901234567e+19",
		`{"x": 1e999}`:           "x: found 1e999, expected a number from -1.7976931348623157e+308 to 1.7976931348623157e+308",
		`["\ud800"]`:             `[0] is not JSON at byte 3: found "u", expected both halves of a surrogate pair`,
	} {
		_, err := workflow.Parse([]byte(text))
		if bad := (*runtime.ValueError)(nil); !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	if _, err := workflow.Parse([]byte(deep)); err == nil || !strings.HasSuffix(err.Error(), "is nested more than 1000 deep") {
		t.Error(err)
	}
	if _, err := workflow.Parse(make([]byte, 16<<20+1)); err == nil {
		t.Error("17 MiB were read")
	}
}

// TestDeepAndLargeValues: a thousand levels and 100,000 members are an ordinary value.
func TestDeepAndLargeValues(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 500) + strings.Repeat("]}", 500)
	v, err := workflow.Parse([]byte(deep))
	if err != nil || v.JSON() != deep || !v.Equal(v) || !v.True() {
		t.Errorf("500 objects in lists: %v", err)
	}
	again, err := workflow.Parse([]byte(deep))
	if err != nil || !v.Equal(again) || v.Merge(again).JSON() != deep {
		t.Errorf("500 objects in lists are not equal to themselves: %v", err)
	}

	const many = 100_000
	members := make([]workflow.Member, many)
	for i := range members {
		members[i] = workflow.Member{Name: strconv.Itoa(i * 7919 % many), Value: workflow.Int(int64(i))}
	}
	large := workflow.Object(members...)
	for i, m := range members {
		if n, ok := large.Get(m.Name).AsInt(); !ok || n != int64(i) {
			t.Fatalf("member %s is %d", m.Name, n)
		}
	}
	if large.Len() != many || large.Has("100000") || large.Has("") {
		t.Error("a large object has the wrong members")
	}
}

func TestMarshalling(t *testing.T) {
	type reply struct {
		Any  workflow.Value            `json:"any"`
		None workflow.Value            `json:"none"`
		Map  map[string]workflow.Value `json:"map,omitempty"`
	}
	const text = `{"any":{"b":[1,"x"],"a":null},"none":null,"map":{"k":2.5}}`
	var got reply
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(got)
	if err != nil || string(raw) != text {
		t.Errorf("got %s, %v", raw, err)
	}
	if err := json.Unmarshal([]byte(`{"any":{"a":1,"a":2}}`), &got); err == nil {
		t.Error("a member may stand twice")
	}
	if raw, err := json.Marshal(workflow.Of(got)); err != nil || string(raw) != text {
		t.Errorf("the value of a struct is %s, %v", raw, err)
	}
}

func TestOf(t *testing.T) {
	text, n, f, yes := "x", int64(7), 2.5, true
	for _, c := range []struct {
		x    any
		want string
	}{
		{nil, "null"}, {(*string)(nil), "null"}, {(*int64)(nil), "null"}, {(*float64)(nil), "null"}, {(*bool)(nil), "null"},
		{&text, `"x"`}, {&n, "7"}, {&f, "2.5"}, {&yes, "true"}, {7, "7"}, {uint8(7), "7"},
		{2.5, "2.5"}, {"x", `"x"`}, {false, "false"},
		{workflow.Text("x"), `"x"`}, {json.RawMessage(` {"a": 1}`), `{"a":1}`}, {[]string{"a", "<b>"}, `["a","<b>"]`},
		{struct {
			B int
			A *string
		}{1, nil}, `{"B":1,"A":null}`},
	} {
		if got := workflow.Of(c.x).JSON(); got != c.want {
			t.Errorf("%#v: got %s, expected %s", c.x, got, c.want)
		}
	}

	for _, x := range []any{make(chan int), json.RawMessage(`{"a":1,"a":1}`)} {
		if err := panicOf(func() { workflow.Of(x) }); err == nil {
			t.Errorf("%#v has a value", x)
		}
	}
}

// panicOf returns the error with which do panics.
func panicOf(do func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	do()

	return nil
}
