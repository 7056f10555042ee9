package replay

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/signals"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// ruling is the decision about a signal, as it is recorded.
type ruling struct {
	Kind   string `json:"kind"`
	Value  string `json:"value,omitempty"`
	Answer string `json:"answer"`
	Key    string `json:"key,omitempty"`
	Tier   string `json:"tier"`
}

// VerdictFields returns the fields of the result of a guard.
func VerdictFields(v *runtime.Verdict) []journal.Field {
	signal := ""
	if s := v.Signal; s != nil {
		signal = field.JSON(ruling{s.Signal.Kind, s.Signal.Value, string(s.Answer), s.Key, s.Tier})
	}

	return field.Optional("ok", field.Bool(v.OK), "reason", v.Reason, "signal", signal)
}

// ReadVerdict reads what VerdictFields has written.
func ReadVerdict(r *journal.Record) (runtime.Verdict, error) {
	v := runtime.Verdict{OK: r.Value("ok") == "true", Reason: r.Value("reason")}
	text := r.Value("signal")
	if text == "" {
		return v, nil
	}
	var s ruling
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return v, err
	}
	v.Signal = &signals.Ruling{
		Signal: signals.Signal{Kind: s.Kind, Value: s.Value}, Answer: signals.Answer(s.Answer), Key: s.Key, Tier: s.Tier,
	}

	return v, nil
}
