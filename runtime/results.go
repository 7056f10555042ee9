package runtime

import (
	"strconv"
	"strings"
	"unicode"
)

// Result is what one branch of a group came to.
type Result struct {
	// Name is the agent's, the item, or a title with a number.
	Name   string
	Finish Finish
	// Err says why the branch failed; Finish is empty then.
	Err error
}

// Results are the results of a group, in the order of its branches.
type Results []Result

// String marks the results up for a model, each in a block that says whose it is. A branch that failed is marked as
// such and says why. Values are unchanged, and neither they nor a name, which may be a model's, can end a block.
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

// Document is the results for people as Markdown, each below its name. A branch that failed is marked as such and says
// why.
func (r Results) Document() Finish {
	var out strings.Builder
	for _, result := range r {
		paragraph(&out)
		// One line, whatever a model called the item.
		heading, text := "## "+strings.Join(strings.Fields(result.Name), " "), result.Finish.Value
		if result.Err != nil {
			heading, text = heading+" (failed)", result.Err.Error()
		}
		out.WriteString(heading + "\n\n" + text)
	}

	return Finish{Value: out.String()}
}

// failedMember is where [Results.Object] tells of the branches that failed. No agent is called so.
const failedMember = "_failed"

// Object is the results as a JSON object in the order of the branches, whose names must differ. A value that is JSON is
// kept byte for byte, any other is a string. Branches that failed stand in the last member, _failed, with their
// messages.
func (r Results) Object() Finish {
	whole, failed := object{dst: []byte("{")}, object{dst: []byte("{")}
	for _, result := range r {
		switch {
		case result.Err != nil:
			failed.text(result.Name, result.Err.Error())
		case result.Finish.JSON:
			whole.raw(result.Name, result.Finish.Value)
		default:
			whole.text(result.Name, result.Finish.Value)
		}
	}
	if len(failed.dst) > len("{") {
		whole.raw(failedMember, string(append(failed.dst, '}')))
	}

	return Finish{Value: string(append(whole.dst, '}')), JSON: true}
}

// writeAttribute writes a name into the quotes of a tag: on one line, and unable to end quotes or tag.
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
