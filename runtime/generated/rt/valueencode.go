package rt

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Encode encodes a value and checks the JSON. A value that does not match its schema is a
// *[runtime.ValueError]; one that JSON cannot represent, such as an infinity, is the error of
// encoding/json. Bytes in a string that are not UTF-8 become U+FFFD, as in encoding/json. A list or
// a map that was never filled is encoded as an empty one if the schema does not accept null.
func (read Reader[T]) Encode(value T) (json.RawMessage, error) {
	raw, err := jsontext.Marshal(value)
	if err != nil {
		return nil, err
	}
	err = read.Check(raw)
	if empty := emptyOf(value); err != nil && empty != "" {
		raw = []byte(empty)
		err = read.Check(raw)
	}
	if err != nil {
		return nil, err
	}

	return raw, nil
}

// emptyOf is the JSON of an empty list or map in the place of one that is nil; "" for any other
// value.
func emptyOf(value any) string {
	switch v := reflect.ValueOf(value); {
	case v.Kind() == reflect.Slice && v.IsNil():
		return "[]"
	case v.Kind() == reflect.Map && v.IsNil():
		return "{}"
	}

	return ""
}

// EncodeObject encodes an object: fields is a struct with the declared properties, additional a map
// with further ones, which follow sorted by name, or nil. A name that occurs in both is a
// *[runtime.ValueError].
func EncodeObject(fields, additional any) ([]byte, error) {
	declared, err := jsontext.Marshal(fields)
	if err != nil || additional == nil {
		return declared, err
	}
	others, err := jsontext.Marshal(additional)
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
