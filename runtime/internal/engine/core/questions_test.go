package core_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

func TestQuestions(t *testing.T) {
	a := &runtime.PausedError{Question: runtime.Question{ID: "a"}}
	b := &runtime.PausedError{Question: runtime.Question{ID: "b"}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, "[]"},
		{errors.New("broken"), "[]"},
		{a, "[a]"},
		{fmt.Errorf("agent: %w", a), "[a]"},
		{errors.Join(a, fmt.Errorf("agent: %w", errors.Join(b, a))), "[a b a]"},
		{errors.Join(a, errors.New("broken")), "[]"},
		{errors.Join(a, fmt.Errorf("%w and %w", b, runtime.ErrNotImplemented)), "[]"},
	} {
		ids := []string{}
		for _, q := range core.Questions(c.err) {
			ids = append(ids, q.ID)
		}
		if got := fmt.Sprint(ids); got != c.want {
			t.Errorf("%v: got %s, want %s", c.err, got, c.want)
		}
	}
}
