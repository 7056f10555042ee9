package board

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

func mustWrite(t *testing.T, b *Board, r WriteRequest) Value {
	t.Helper()
	v, head, err := b.Write(t.Context(), r)
	if err != nil || head != b.Head() || v.Version != head.Seq {
		t.Fatalf("%+v, %v, %v", v, head, err)
	}

	return v
}

func TestValuesStayAsTheyAre(t *testing.T) {
	dir := t.TempDir() + "/store"
	b := opened(t, dir, newHandClock().Now)
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	values := []string{
		`null`, ` {"b": 1.00, "a":2e400,  "a": 3} `, "[1,\n\r\t2]", `"<&>\u003c \ud800"`, "\"\u2028 \u0085 👩‍👩‍👧 \x7f\"",
		`"` + strings.Repeat("é", maxValue/2-1) + `"`, `"` + strings.Repeat("\x7f", maxValue-2) + `"`, deep,
		`"\"` + strings.Repeat("[", 2*maxDepth) + `\\"`,
	}
	keys := []string{"a", "a b", "../x", `"quoted"`, "ключ", "#1", strings.Repeat("k", maxKey), "desk", "q"}
	written := map[string]Value{}
	for i, value := range values {
		v := mustWrite(t, b, WriteRequest{Key: keys[i], JSON: json.RawMessage(value), Agent: "rita", Identity: "rita"})
		if v.Agent != "rita" || v.Identity != "rita" || !v.Expires.IsZero() || v.ReadOnly {
			t.Errorf("%.40s: %+v", value, v)
		}
		written[keys[i]] = v
	}
	for _, again := range []bool{false, true} {
		if again {
			b = reopened(t, b, dir)
		}
		for i, value := range values {
			v, ok, err := b.Read(t.Context(), keys[i])
			if err != nil || !ok || string(v.JSON) != value || !reflect.DeepEqual(v, written[keys[i]]) {
				t.Errorf("again %v: %.40s: %.40s, %+v, %v, %v", again, value, v.JSON, v, ok, err)
			}
		}
	}
	if head, err := audit.VerifyFolder(t.Context(), dir, nil, nil); err != nil || head.Seq != uint64(len(values)) {
		t.Errorf("%+v, %v", head, err)
	}
}

func reopened(t *testing.T, b *Board, dir string) *Board {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}

	return opened(t, dir, b.clock)
}

func TestCompareAndSet(t *testing.T) {
	b := opened(t, "", newHandClock().Now)
	one := json.RawMessage("1")
	write := func(version uint64) error {
		_, _, err := b.Write(t.Context(), WriteRequest{Key: "k", JSON: one, IfVersion: &version})
		return err
	}
	remove := func(version uint64) error {
		_, err := b.Delete(t.Context(), "k", &version, "", "")
		return err
	}
	steps := []struct {
		do      func(uint64) error
		version uint64
		have    uint64 // of the error; 0 with ok
		ok      bool
	}{
		{write, 1, 0, false}, // entry 1
		{remove, 5, 0, false},
		{write, 0, 0, true}, // 3
		{write, 0, 3, false},
		{write, 3, 0, true}, // 5
		{write, 3, 5, false},
		{remove, 3, 5, false},
		{remove, 5, 0, true}, // 8
		{write, 5, 0, false},
		{write, 0, 0, true}, // 10
		{write, 3, 10, false},
	}
	for i, s := range steps {
		err := s.do(s.version)
		if s.ok != (err == nil) || !s.ok && err.Error() != otherVersion("k", s.version, s.have).Error() {
			t.Errorf("step %d: %v", i+1, err)
		}
		e := lastEntry(t, b)
		if want := map[bool]audit.Result{true: audit.Accepted, false: audit.Stale}[s.ok]; e.Result != want || *e.Expected != s.version {
			t.Errorf("step %d: the entry is %+v", i+1, e)
		}
	}
}

// TestExpiry: a value is gone for readers at once, and the next write records that.
func TestExpiry(t *testing.T) {
	dir := t.TempDir() + "/store"
	clock := newHandClock()
	b := opened(t, dir, clock.Now)
	for i, ttl := range []time.Duration{3, 1, 2, 0, 1} {
		mustWrite(t, b, WriteRequest{Key: fmt.Sprint("k", i), JSON: json.RawMessage("1"), TTL: ttl * time.Second})
	}
	mustWrite(t, b, WriteRequest{Key: "k4", JSON: json.RawMessage("2")}) // it does not expire any more
	b = reopened(t, b, dir)
	present := func(want string) {
		t.Helper()
		infos, err := b.List(t.Context(), "k")
		got := ""
		for _, info := range infos {
			got += info.Key
		}
		if err != nil || got != want {
			t.Errorf("there are %s, %v, want %s", got, err, want)
		}
		for i := range 5 {
			key := fmt.Sprint("k", i)
			if ok, err := b.Exists(t.Context(), key); err != nil || ok != strings.Contains(want, key) {
				t.Errorf("%s: %v, %v", key, ok, err)
			}
		}
	}
	present("k0k1k2k3k4")
	clock.pass(time.Second - 1)
	present("k0k1k2k3k4")
	clock.pass(1)
	present("k0k2k3k4")
	clock.pass(time.Second)
	present("k0k3k4")
	if b.Head().Seq != 6 {
		t.Errorf("reading has made %d entries", b.Head().Seq-6)
	}

	// It may be written anew as if it had never been there; k1 and k2 are recorded first, in the order of their times.
	mustWrite(t, b, WriteRequest{Key: "k2", JSON: json.RawMessage("2"), IfVersion: ptr(uint64(0)), TTL: time.Hour})
	var got []string
	for _, e := range entriesOf(t, b)[6:] {
		got = append(got, fmt.Sprint(e.Seq, " ", e.Kind, " ", e.Key))
	}
	if want := []string{"7 expire k1", "8 expire k2", "9 write k2"}; !reflect.DeepEqual(got, want) {
		t.Errorf("entries %q, want %q", got, want)
	}
	clock.pass(time.Minute)
	present("k2k3k4")
	if _, err := b.Delete(t.Context(), "k0", nil, "", ""); runtime.ErrorType(err) != "NotFoundError" {
		t.Errorf("deleting what has expired: %v", err)
	}
	if e := lastEntry(t, b); e.Seq != 11 || e.Result != audit.Rejected {
		t.Errorf("the last entry is %+v", e)
	}
	mustWrite(t, b, WriteRequest{Key: "z", JSON: json.RawMessage("2")})
	if b.Head().Seq != 12 {
		t.Errorf("expired values are recorded twice: %d entries", b.Head().Seq)
	}
	if _, err := audit.VerifyFolder(t.Context(), dir, ptr(audit.Head(b.Head())), nil); err != nil {
		t.Error(err)
	}
}

func TestMachineKeys(t *testing.T) {
	b := opened(t, "", newHandClock().Now)
	mustStep(t, b, step("front_desk/A:state", "submit"))
	mustWrite(t, b, WriteRequest{Key: "front", JSON: json.RawMessage("1")})
	for key, want := range map[string]string{
		"fsm:front-desk/A:state:state":     `"review"`,
		"fsm:front_desk/A:state:state":     `"review"`,
		"fsm:front_desk/A:state:history":   `"to":"review"`,
		"fsm:front-desk/A:state:history":   `[{"seq":2,"entry":2,"from":"draft"`,
		"fsm:front-desk/A:state":           "",
		"fsm:front-desk:state":             "",
		"fsm:nothing:state":                "",
		"fsm:front-desk/A:state:other":     "",
		"fsm:":                             "",
		"fsm:front-desk/:history":          "",
		"fsm:front-desk/A:history:history": "",
	} {
		v, ok, err := b.Read(t.Context(), key)
		if err != nil || ok != (want != "") || !strings.Contains(string(v.JSON), want) || ok && !v.ReadOnly {
			t.Errorf("%s: %+v, %s, %v, %v", key, v, v.JSON, ok, err)
		}
		if _, _, err := b.Write(t.Context(), WriteRequest{Key: key, JSON: json.RawMessage("1")}); runtime.ErrorType(err) != "ReadOnlyError" {
			t.Errorf("writing %s: %v", key, err)
		}
		if e := lastEntry(t, b); e.Result != audit.Denied || e.Key != key {
			t.Errorf("writing %s: the entry is %+v", key, e)
		}
		if _, err := b.Delete(t.Context(), key, nil, "", ""); runtime.ErrorType(err) != "ReadOnlyError" {
			t.Errorf("deleting %s: %v", key, err)
		}
	}
	infos, err := b.List(t.Context(), "f")
	var keys []string
	for _, info := range infos {
		keys = append(keys, info.Key)
	}
	if want := []string{"front", "fsm:front-desk/A:state:history", "fsm:front-desk/A:state:state"}; err != nil || !reflect.DeepEqual(keys, want) {
		t.Errorf("keys %q, %v", keys, err)
	}

	mustStep(t, b, step("desk", "submit"))
	mustStep(t, b, step("desk", "approve"))
	mustStep(t, b, step("desk", "close"))
	if v, ok, err := b.Read(t.Context(), "fsm:desk:state"); err != nil || !ok || string(v.JSON) != "null" {
		t.Errorf("a machine that has ended: %s, %v, %v", v.JSON, ok, err)
	}
}

func TestBadWrites(t *testing.T) {
	b := opened(t, "", newHandClock().Now)
	good := WriteRequest{Key: "k", JSON: json.RawMessage("1")}
	for name, change := range map[string]func(*WriteRequest){
		"no key":           func(r *WriteRequest) { r.Key = "" },
		"a long key":       func(r *WriteRequest) { r.Key = strings.Repeat("k", maxKey+1) },
		"a line break":     func(r *WriteRequest) { r.Key = "a\nb" },
		"a control":        func(r *WriteRequest) { r.Key = "a\u0085b" },
		"bytes":            func(r *WriteRequest) { r.Key = "\xff" },
		"no value":         func(r *WriteRequest) { r.JSON = nil },
		"an empty value":   func(r *WriteRequest) { r.JSON = json.RawMessage{} },
		"no JSON":          func(r *WriteRequest) { r.JSON = json.RawMessage("{'a': 1}") },
		"two values":       func(r *WriteRequest) { r.JSON = json.RawMessage("1 2") },
		"bytes in JSON":    func(r *WriteRequest) { r.JSON = json.RawMessage("\"\xff\"") },
		"a large value":    func(r *WriteRequest) { r.JSON = json.RawMessage(`"` + strings.Repeat("x", maxValue-1) + `"`) },
		"ten MB":           func(r *WriteRequest) { r.JSON = json.RawMessage(`"` + strings.Repeat("x", 10*maxValue) + `"`) },
		"a deep value":     func(r *WriteRequest) { r.JSON = json.RawMessage(strings.Repeat("[", 1001) + strings.Repeat("]", 1001)) },
		"a past":           func(r *WriteRequest) { r.TTL = -1 },
		"an agent of more": func(r *WriteRequest) { r.Agent = "a\nb" },
	} {
		r := good
		change(&r)
		_, head, err := b.Write(t.Context(), r)
		if code := runtime.ErrorType(err); code != "InvalidError" && code != "TooLargeError" || head.Seq != 0 {
			t.Errorf("%s: %v, %v", name, head, err)
		}
	}
	good.Agent, good.Identity = "rita", "eve"
	if _, _, err := b.Write(t.Context(), good); runtime.ErrorType(err) != "IdentityError" || lastEntry(t, b).Result != audit.Denied {
		t.Errorf("a pretender: %v", err)
	}
	good.Agent, good.Identity = "timer", ""
	if _, _, err := b.Write(t.Context(), good); runtime.ErrorType(err) != "IdentityError" {
		t.Errorf("a would-be timer: %v", err)
	}
	if ok, err := b.Exists(t.Context(), "k"); ok || err != nil {
		t.Errorf("there is a value: %v", err)
	}
}
