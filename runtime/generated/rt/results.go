package rt

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// branchResult is the result of one branch of a group.
type branchResult struct {
	// Name is the name of the agent, the item, or a title with a number.
	Name   string
	Finish runtime.Finish
	// Err is why the branch failed; Finish is empty then.
	Err error
}

// Results are the results of a group, in the order of its branches.
type Results []branchResult

// String formats the results for a model, each in a block with the name of its branch. For a failed
// branch the block has the error. Values are unchanged, and neither they nor a name, which a model
// may have chosen, can end a block.
func (r Results) String() string {
	size := 0
	for _, result := range r {
		size += len(result.Name) + len(result.Finish.Value) + len("<result of=\"\">\n\n</result>\n\n")
	}

	var out strings.Builder
	out.Grow(size)
	for _, result := range r {
		text, mark := result.Finish.Value, ""
		if result.Err != nil {
			text, mark = result.Err.Error(), ` failed="yes"`
		}
		tag := openBlock(&out, "result", text)
		out.WriteString(` of="`)
		writeAttribute(&out, result.Name)
		out.WriteByte('"')
		out.WriteString(mark)
		closeBlock(&out, tag, text)
	}

	return out.String()
}

// Document formats the results for people as Markdown, each below its name, or with the error of a
// failed branch.
func (r Results) Document() runtime.Finish {
	var out strings.Builder
	for _, result := range r {
		startParagraph(&out)
		// One line, whatever a model called the item.
		heading, text := "## "+strings.Join(strings.Fields(result.Name), " "), result.Finish.Value
		if result.Err != nil {
			heading, text = heading+" (failed)", result.Err.Error()
		}
		out.WriteString(heading + "\n\n" + text)
	}

	return runtime.Finish{Value: out.String()}
}

// failedMember is where [Results.Object] reports the branches that failed. No agent is called so.
const failedMember = "_failed"

// Object returns the results as a JSON object in the order of the branches, whose names must
// differ. A value that is JSON is kept byte for byte, any other is a string. The last member,
// _failed, has the errors of branches that failed.
func (r Results) Object() runtime.Finish {
	whole, failed := []byte{'{'}, []byte{'{'}
	for _, result := range r {
		switch {
		case result.Err != nil:
			failed = jsontext.Append(appendName(failed, result.Name), result.Err.Error())
		case result.Finish.JSON:
			whole = append(appendName(whole, result.Name), result.Finish.Value...)
		default:
			whole = jsontext.Append(appendName(whole, result.Name), result.Finish.Value)
		}
	}
	if len(failed) > len("{") {
		whole = append(append(appendName(whole, failedMember), failed...), '}')
	}

	return runtime.Finish{Value: string(append(whole, '}')), JSON: true}
}

// appendName appends the name of a member to an open object.
func appendName(object []byte, name string) []byte {
	if object[len(object)-1] != '{' {
		object = append(object, ',')
	}

	return append(jsontext.Append(object, name), ':')
}

// writeAttribute writes a name into the quotes of a tag: on one line, and unable to end quotes or
// tag.
func writeAttribute(out *strings.Builder, name string) {
	for _, r := range name {
		switch {
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '"':
			out.WriteString("&quot;")
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			out.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			out.WriteRune(r)
		}
	}
}
