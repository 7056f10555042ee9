package machinetest

import (
	"encoding"
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/rt"
)

// stateTexts asks whether states come back from their texts, and whether other texts are refused.
func (a *asker[K, S]) stateTexts() {
	a.t.Helper()
	for i := range int(a.last) {
		comesBack(a.reporter, fmt.Sprintf("state number %d", i+1), S(i+1), a.parseState)
	}
	ended := a.last
	if err := unmarshal(&ended, ""); err != nil || ended != 0 {
		a.problem("no text is the state %q: %v", ended, err)
	}
	for _, text := range []string{"", "no state has this name", "\xff", veryLong} {
		refused(a.reporter, "state", text, a.parseState)
	}
}

// texted is a state.
type texted interface {
	comparable
	fmt.Stringer
	encoding.TextMarshaler
}

// comesBack asks whether a value comes back from its text.
func comesBack[V texted](r *reporter, what string, value V, parse func(string) (V, error)) {
	r.t.Helper()
	if again, err := parse(value.String()); err != nil || again != value {
		r.problem("%s: %q is parsed as %q: %v", what, value, again, err)
	}

	text, err := value.MarshalText()
	var again V
	if err == nil {
		err = unmarshal(&again, string(text))
	}
	if err != nil || again != value || string(text) != value.String() {
		r.problem("%s: %q becomes the text %q, and that %q: %v", what, value, text, again, err)
	}
}

// unmarshal reads the text of a state, which a pointer to it can.
func unmarshal(into any, text string) error {
	reader, ok := into.(encoding.TextUnmarshaler)
	if !ok {
		return fmt.Errorf("%T has no UnmarshalText", into)
	}

	return reader.UnmarshalText([]byte(text))
}

// refused asks whether a text that names nothing is refused with the error for it.
func refused[V texted](r *reporter, kind, text string, parse func(string) (V, error)) {
	r.t.Helper()
	value, err := parse(text)
	var none V
	var unknown *rt.UnknownNameError
	if !errors.As(err, &unknown) || value != none || unknown.Machine != r.machine || unknown.Kind != kind || unknown.Name != text {
		r.problem("%s is parsed as the %s %q: %v", short(text), kind, value, err)
	}
}
