package runtime

import (
	"bytes"
	"encoding/json"
)

// Nullable is a value that may be null, for a property that may be absent as well: there a nil pointer already means absent.
type Nullable[T any] struct {
	// Null says that the value is null; Value is not used then.
	Null  bool
	Value T
}

// MarshalJSON encodes null or the value.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.Null {
		return []byte("null"), nil
	}

	return marshalPlain(n.Value)
}

// Pointer returns a pointer to a copy of v.
func Pointer[T any](v T) *T { return &v }

// EncodeValue encodes a value of a generated type and checks the JSON with the type's read function. A value that does not
// fit its schema is a *[ValueError]; one that JSON cannot write, such as an infinity, is the error of encoding/json. Bytes
// in a string that are not UTF-8 become U+FFFD, as in encoding/json.
func EncodeValue[T any](value T, read func(*Value) T) (json.RawMessage, error) {
	raw, err := marshalPlain(value)
	if err != nil {
		return nil, err
	}
	if _, err := DecodeValue(raw, read); err != nil {
		return nil, err
	}

	return raw, nil
}

// EncodeObject encodes an object: fields is a struct with the declared properties, additional a map with further ones, which
// follow sorted by name, or nil. A name that occurs in both is a *[ValueError].
func EncodeObject(fields, additional any) ([]byte, error) {
	declared, err := marshalPlain(fields)
	if err != nil || additional == nil {
		return declared, err
	}
	others, err := marshalPlain(additional)
	if err != nil {
		return nil, err
	}
	if len(others) <= len("{}") || bytes.Equal(others, []byte("null")) {
		return declared, nil
	}

	joined := declared[:len(declared)-1]
	if len(joined) > len("{") {
		joined = append(joined, ',')
	}
	joined = append(joined, others[1:]...)
	if _, err := parseValue(string(joined)); err != nil {
		return nil, err
	}

	return joined, nil
}

// marshalPlain is json.Marshal without its escapes for HTML, which only cost a model tokens.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}

	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
