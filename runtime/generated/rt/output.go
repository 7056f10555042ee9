package rt

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// unfit is the error of a value that cannot be used: *OutputError or *ItemLimitError.
type unfit interface {
	error
	// ForModel describes the mistake, for the model too.
	ForModel() string
}

// outputError is the error of a value that Check refused.
func outputError(agent string, err error) *runtime.OutputError {
	var value *runtime.ValueError
	if errors.As(err, &value) {
		return &runtime.OutputError{Agent: agent, Path: value.Path, Problem: value.Problem, Err: err}
	}

	return &runtime.OutputError{Agent: agent, Problem: err.Error(), Err: err}
}

// content is the value of a finish: JSON byte for byte, or text.
type content struct {
	text string
	json bool
}

// judgeJSON makes the value of a finish from what the model wrote for it. A JSON string is text,
// everything else is kept byte for byte. A string that does not fit the output schema, but whose
// content is JSON that does, is taken as that: models often write it so.
func judgeJSON(agent string, output *OutputSpec, raw string) (content, unfit) {
	value := contentOf(raw)
	if output == nil {
		return value, nil
	}

	err := output.Check(json.RawMessage(raw))
	if err == nil {
		return value, nil
	}
	inside, isJSON := jsontext.Repair(value.text)
	if !value.json && isJSON && output.Check(json.RawMessage(inside)) == nil {
		return contentOf(inside), nil
	}

	return content{}, outputError(agent, err)
}

// judgeText makes the value of plain text. With an output schema the text is JSON, perhaps in a
// fenced block. If the schema allows a string, the text may be the string itself, without the white
// space or the fence around it if that is necessary. Last, it may be JSON with small mistakes,
// which are repaired.
func judgeText(agent string, output *OutputSpec, text string) (content, unfit) {
	if output == nil {
		return content{text: text}, nil
	}

	inside := trimFence(text)
	fault := &runtime.OutputError{Agent: agent, Problem: "the answer is not JSON"}
	if json.Valid([]byte(inside)) {
		err := output.Check([]byte(inside))
		if err == nil {
			return contentOf(inside), nil
		}
		fault = outputError(agent, err)
	}
	for _, said := range [...]string{text, inside} {
		if output.Check(jsontext.Append(nil, said)) == nil {
			return content{text: said}, nil
		}
	}
	repaired, isJSON := jsontext.Repair(inside)
	if isJSON && repaired != inside {
		err := output.Check(json.RawMessage(repaired))
		if err == nil {
			return contentOf(repaired), nil
		}
		fault = outputError(agent, err)
	}

	return content{}, fault
}

// contentOf is the value that raw, which is JSON, says.
func contentOf(raw string) content {
	raw = strings.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		// Text without escapes, which most is, is there as it is.
		inside := raw[1 : len(raw)-1]
		if strings.IndexByte(inside, '\\') < 0 && utf8.ValidString(inside) {
			return content{text: inside}
		}
		var text string
		if json.Unmarshal([]byte(raw), &text) == nil {
			return content{text: text}
		}
	}

	return content{raw, true}
}
