package workflow

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Parse reads JSON as strictly as [rt.Reader]: one value in UTF-8 of at most 16 MiB, nested at most
// 1,000 deep, without duplicate members. A number that neither an int64 nor a float64 gives back as
// it was written is refused too. The error is a *[runtime.ValueError].
func Parse(json []byte) (Value, error) { return rt.Reader[Value](readValue).Decode(json) }

// readValue reads any JSON value. It reads parts of values that generated code decodes.
func readValue(v *rt.JSON) Value {
	switch literal := v.Literal(); literal[0] {
	case 'n':
		return Value{}
	case 't', 'f':
		return booleanValue(literal[0] == 't')
	case '"':
		return Text(v.Text())
	case '[':
		return readList(v)
	case '{':
		return readObject(v)
	default:
		return readNumber(v, literal)
	}
}

func readNumber(v *rt.JSON, literal string) Value {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return Int(n)
	}

	return numberValue(v.Float())
}

func readList(v *rt.JSON) Value {
	items := make([]Value, 0, v.Len())
	for _, item := range v.Items() {
		items = append(items, readValue(item))
	}

	return newList(items)
}

func readObject(v *rt.JSON) Value {
	names, items := make([]string, 0, v.Len()), make([]Value, 0, v.Len())
	for name, member := range v.Members() {
		names, items = append(names, name), append(items, readValue(member))
	}

	return newObject(names, items)
}
