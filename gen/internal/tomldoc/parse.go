package tomldoc

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Parse parses f. The root is a mapping; it is nil after a syntax error. Of a repeated key the
// first one counts, and the second one is reported. Dates, times, and the numbers inf and nan,
// which JSON does not have, are text.
func Parse(f *source.File) (*yamldoc.Node, []*diag.Diagnostic) {
	start := f.Start()
	if d := yamldoc.CheckText(f, start, len(f.Bytes)); d != nil {
		return nil, []*diag.Diagnostic{d}
	}
	if err := checkSyntax(f.Bytes[start:]); err != nil {
		return nil, explain(f, start, err)
	}

	r := &reader{file: f, text: f.Bytes, i: start}
	root := r.readDocument()
	yamldoc.RecordComments(f, start, len(f.Bytes), root)

	return root, r.duplicates
}

// checkSyntax reports whether the library accepts text as TOML.
func checkSyntax(text []byte) (err error) {
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

// decodeString returns the value of a valid string literal.
func decodeString(literal string) string {
	var v struct{ V string }
	if _, err := toml.Decode("V = "+literal, &v); err != nil {
		return literal
	}

	return v.V
}
