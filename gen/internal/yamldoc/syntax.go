package yamldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// explainSyntax writes the diagnostic for a text that the library refuses. The library's messages name a line that is often
// not the one at fault, or none. So explainer looks for the usual mistakes; where it finds none, the diagnostic is on the first line
// with which the text cannot be read any more.
func explainSyntax(f *source.File, base int, text []byte, problem error) *diag.Diagnostic {
	limit := failureOffset(text)
	line := lineStart(text, limit)
	if len(strings.Trim(string(text[line:lineEnd(text, line)]), " \t")) == 0 {
		line = lastLineWithText(text, line)
	}
	span := lineSpan(f, base+line)
	if strings.Contains(problem.Error(), "exceeded max depth") {
		return diag.New(diag.Syntax, span, "values are nested more than 10000 deep")
	}
	d := &explainer{file: f, base: base, text: text, limit: max(line, min(limit, lineEnd(text, line)))}
	if found := d.explain(); found != nil {
		return found
	}

	return diag.New(diag.Syntax, span, "this line cannot be read as YAML").
		WithHint("check its indentation, colons, quotes and brackets")
}

// failureOffset returns the offset up to which the library has read when it gives up: the place of the fault, or a few
// characters behind it. It is the end of the shortest beginning of the text that cannot be read, whatever follows.
func failureOffset(text []byte) int {
	r := bytes.NewReader(text)
	_, _, _ = decode(byteByByte{r})

	return len(text) - r.Len()
}

// byteByByte gives a text away in single bytes: the library reads ahead by what it is given.
type byteByByte struct{ *bytes.Reader }

func (r byteByByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

func lineStart(text []byte, i int) int {
	for i > 0 && !isBreak(text[i-1]) {
		i--
	}

	return i
}

// lastLineWithText returns the start of the last line before i that is not blank; 0 if there is none.
func lastLineWithText(text []byte, i int) int {
	for i > 0 && (isBreak(text[i-1]) || isBlank(text[i-1])) {
		i--
	}

	return lineStart(text, i)
}
