package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func TestCallTool(t *testing.T) {
	read := rt.Reader[string](func(v *rt.JSON) string { return v.Text() })
	closed := errors.New("the shop is closed")
	order := func(_ context.Context, item string) (string, error) {
		if item == "nothing" {
			return "half an order", closed
		}
		return "ordered " + item, nil
	}

	result, err := rt.CallTool(t.Context(), json.RawMessage(`"tea"`), read, order)
	if err != nil || result.Text != "ordered tea" || result.JSON {
		t.Errorf("a result that is text: %+v %v", result, err)
	}
	result, err = rt.CallTool(t.Context(), json.RawMessage(`"nothing"`), read, order)
	if !errors.Is(err, closed) || result.Text != "" {
		t.Errorf("a method that fails: %+v %v", result, err)
	}
	result, err = rt.CallTool(t.Context(), json.RawMessage(`7`), read, order)
	if err != nil || result.Problem == "" {
		t.Errorf("arguments that do not fit: %+v %v", result, err)
	}
}
