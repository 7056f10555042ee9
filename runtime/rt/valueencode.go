package rt

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
)

// EncodeValue encodes a value of a generated type and checks the JSON with the type's read function. A value that
// does not match its schema is a *[runtime.ValueError]; one that JSON cannot represent, such as an infinity, is the
// error of encoding/json. Bytes in a string that are not UTF-8 become U+FFFD, as in encoding/json. A list or a map that
// was never filled is encoded as an empty one if the schema does not accept null.
func EncodeValue[T any](value T, read func(*JSON) T) (json.RawMessage, error) {
	raw, err := jsontext.Marshal(value)
	if err != nil {
		return nil, err
	}
	_, err = DecodeValue(raw, read)
	if empty := emptyOf(value); err != nil && empty != "" {
		raw = []byte(empty)
		_, err = DecodeValue(raw, read)
	}
	if err != nil {
		return nil, err
	}

	return raw, nil
}

// emptyOf is the JSON of an empty list or map in the place of one that is nil; "" for any other value.
func emptyOf(value any) string {
	switch v := reflect.ValueOf(value); {
	case v.Kind() == reflect.Slice && v.IsNil():
		return "[]"
	case v.Kind() == reflect.Map && v.IsNil():
		return "{}"
	}

	return ""
}

// Encoder returns the function that encodes a value as EncodeValue does.
func Encoder[T any](read func(*JSON) T) func(value T) (json.RawMessage, error) {
	return func(value T) (json.RawMessage, error) { return EncodeValue(value, read) }
}

// EncodeObject encodes an object: fields is a struct with the declared properties, additional a map with further
// ones, which follow sorted by name, or nil. A name that occurs in both is a *[runtime.ValueError].
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
