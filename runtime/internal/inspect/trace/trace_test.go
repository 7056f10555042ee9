package trace

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestAnyRecords reads records in any order and with any names: a journal of another version may have them.
func TestAnyRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	for range 3000 {
		var records []journal.Record
		for range random.IntN(40) {
			r := journal.Record{
				Type: journal.Type(random.IntN(9)), Time: time.Unix(random.Int64N(9), 0),
				Address: one("", "1", "2", "3.0", "3.0.1", "3.1.1", "3.1.1.0.4", "3.1.1.0.4.2.7", "x", "..", "."),
				Name: one("model", "tool", "ask", "parallel", "guard", "enter", "transition", "finish", "error", "resume", "step", "tool",
					"retry", "done", "paused", "new"),
			}
			for _, name := range []string{"agent", "machine", "state", "what", "from", "to"} {
				r.Fields = append(r.Fields, journal.Field{Name: name, Value: one("", "a", "b", "a/x", "c", "null")})
			}
			r.Fields = append(r.Fields, journal.Field{Name: "args", Value: one("{", `{"agent":"b"}`)}, journal.Field{Name: "guards", Value: one("[", "[{}]")})
			records = append(records, r)
		}
		tr := Of(records)
		if at := repeated(tr.Root, map[*Node]bool{}); at != nil {
			t.Fatalf("the tree has a node twice: %+v, of %s", at, fmt.Sprint(records))
		}
	}
}

// repeated is a node that is written twice in a tree.
func repeated(n *Node, seen map[*Node]bool) *Node {
	if seen[n] {
		return n
	}
	seen[n] = true
	for _, child := range n.Children {
		if again := repeated(child, seen); again != nil {
			return again
		}
	}

	return nil
}

func TestThoughts(t *testing.T) {
	for carry, want := range map[string]string{
		`anthropic:{"anthropic":[{"type":"thinking","thinking":"Hm, <so>.","signature":"s"},"x",0,{"type":"redacted_thinking","data":"abc="}]}`: "Hm, <so>.\n\n(hidden by the provider)",
		`gemini:{"calls":{"a":{"signature":"s"}}}`:                "",
		`{"anthropic":[{"type":"song","thinking":"la"},null,[]]}`: "",
		`anthropic:{"anthropic":[`:                                "",
		"no JSON":                                                 "",
		"":                                                        "",
	} {
		if got := thoughtsOf(carry); got != want {
			t.Errorf("%s: %q", carry, got)
		}
	}
}
