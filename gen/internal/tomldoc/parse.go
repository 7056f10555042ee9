package tomldoc

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Parse reads f. The root is a mapping; it is nil if the text cannot be read. Of a key that is twice the first counts,
// and there is a duplicate-key diagnostic at the second. Dates and times, and the numbers inf and nan, which JSON does not
// have, are text.
func Parse(f *source.File) (*yamldoc.Node, []*diag.Diagnostic) {
	start := f.Start()
	if d := yamldoc.CheckText(f, start, len(f.Bytes)); d != nil {
		return nil, []*diag.Diagnostic{d}
	}
	if err := check(f.Bytes[start:]); err != nil {
		return nil, explain(f, start, err)
	}

	r := &reader{file: f, text: f.Bytes, i: start}
	root := r.document()
	yamldoc.RecordComments(f, start, len(f.Bytes), root)

	return root, r.duplicates
}

// check asks the library whether text is TOML.
func check(text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	var values map[string]any
	_, err = toml.Decode(string(text), &values)

	return err
}

var errPanic = errors.New("the TOML library failed")

// decodeString returns the value of a string literal of a text that the library has accepted.
func decodeString(literal string) string {
	var v struct{ V string }
	if _, err := toml.Decode("V = "+literal, &v); err != nil {
		return literal
	}

	return v.V
}
