package workflow

import (
	"math"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// String renders v as a template does: none as nothing, text as it is, booleans as True and False,
// numbers, lists and objects as JSON.
func (v Value) String() string {
	if v.IsText() {
		return v.text
	}

	return v.renderText()
}

// renderText renders a value that is not a text.
func (v Value) renderText() string {
	switch {
	case v.IsNone():
		return ""
	case v.shape == &boolShape && v.bits != 0:
		return "True"
	case v.shape == &boolShape:
		return "False"
	case v.isWhole():
		return strconv.FormatInt(int64(v.bits), 10)
	}

	return v.JSON()
}

// JSON returns v as compact JSON, the members of objects in their order.
func (v Value) JSON() string { return string(v.encode()) }

// encode returns v as [Value.JSON] does.
func (v Value) encode() []byte {
	_, weight := v.measure()

	return v.appendJSON(make([]byte, 0, weight+weight/8))
}

// MarshalJSON returns v as JSON.
func (v Value) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

// UnmarshalJSON reads v as [Parse] does.
func (v *Value) UnmarshalJSON(json []byte) error {
	parsed, err := Parse(json)
	if err != nil {
		return err
	}
	*v = parsed

	return nil
}

func (v Value) appendJSON(dst []byte) []byte {
	switch v.Kind() {
	case kindBool:
		return strconv.AppendBool(dst, v.bits != 0)
	case kindNumber:
		return v.appendNumber(dst)
	case kindText:
		return jsontext.Append(dst, v.text)
	case kindList:
		return v.appendList(dst)
	case kindObject:
		return v.appendObject(dst)
	}

	return append(dst, "null"...)
}

// appendNumber writes a number as encoding/json and JavaScript do.
func (v Value) appendNumber(dst []byte) []byte {
	if v.isWhole() {
		return strconv.AppendInt(dst, int64(v.bits), 10)
	}
	f := math.Float64frombits(v.bits)
	if size := math.Abs(f); size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// 1e-07 is written 1e-7.
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}

	return dst
}

func (v Value) appendList(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range v.memberCount() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.shape.items[i].appendJSON(dst)
	}

	return append(dst, ']')
}

func (v Value) appendObject(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range v.memberCount() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.Append(dst, v.shape.names[i]), ':')
		dst = v.shape.items[i].appendJSON(dst)
	}

	return append(dst, '}')
}
