package rt

import (
	"bytes"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
)

// EncodeValue encodes a value of a generated type and checks the JSON with the type's read function. A value that
// does not match its schema is a *[runtime.ValueError]; one that JSON cannot represent, such as an infinity, is the
// error of encoding/json. Bytes in a string that are not UTF-8 become U+FFFD, as in encoding/json.
func EncodeValue[T any](value T, read func(*JSON) T) (json.RawMessage, error) {
	raw, err := jsontext.Marshal(value)
	if err != nil {
		return nil, err
	}
	if _, err := DecodeValue(raw, read); err != nil {
		return nil, err
	}

	return raw, nil
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
