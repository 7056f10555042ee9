package rt_test

import (
	"encoding/json"
	"math/rand"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestPlacesAgainstReference nests places at random and compares what a finish may hold with sets
// computed by the rules as they are written: a place passed on has its own keys and those of the
// place around it, and is open if that is open or free.
func TestPlacesAgainstReference(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e"}
	for seed := range int64(500) {
		random := rand.New(rand.NewSource(seed))
		some := func() (keys []string) {
			for _, i := range random.Perm(len(all))[:1+random.Intn(3)] {
				keys = append(keys, all[i])
			}

			return keys
		}

		place, want, closed := rt.Place{}, []string(nil), false
		switch random.Intn(3) {
		case 0:
			want, closed = some(), true
			place = rt.Closed("m", "s", want...)
		case 1:
			want = some()
			place = rt.Open("m", "s", want...)
		}
		free := want == nil
		for range random.Intn(4) {
			own := some()
			outer := place
			before := firstRequest(testAgent(), outer).Tools[1].Schema
			place, free = rt.Closed("inner", "last", own...).Or(place), false
			for _, key := range want {
				if !slices.Contains(own, key) {
					own = append(own[:len(own):len(own)], key)
				}
			}
			want = own
			if after := firstRequest(testAgent(), outer).Tools[1].Schema; after != before {
				t.Fatalf("seed %d: the place around was changed", seed)
			}
		}
		compareFinish(t, seed, place, want, closed, free)
	}
}

func compareFinish(t *testing.T, seed int64, place rt.Place, want []string, closed, free bool) {
	t.Helper()
	var schema struct {
		Properties struct {
			Key struct{ Enum []string }
		}
		Required []string
	}
	if err := json.Unmarshal([]byte(firstRequest(testAgent(), place).Tools[1].Schema), &schema); err != nil {
		t.Fatal(err)
	}
	enum := schema.Properties.Key.Enum
	if closed && !slices.Equal(enum, want) || !closed && enum != nil {
		t.Errorf("seed %d: the enum is %q, want %q", seed, enum, want)
	}
	if free == slices.Contains(schema.Required, "key") {
		t.Errorf("seed %d: required are %q, free %v", seed, schema.Required, free)
	}

	for _, key := range []string{"a", "b", "C ", "e", "z", ""} {
		fx := answering(func(model.Request) (model.Reply, error) {
			args, err := json.Marshal(map[string]string{"key": key, "value": "x"})

			return model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: string(args)}}}, err
		})
		spec := testAgent()
		spec.Repair = 0
		fin, err := spec.Run(fx, nil, "the task", place)
		legal := !closed || slices.Contains(want, wording.Fold(key))
		if (err == nil) != legal || legal && fin.Key != key {
			t.Errorf("seed %d: key %q of %q (closed %v): %+v, %v", seed, key, want, closed, fin, err)
		}
	}
}
