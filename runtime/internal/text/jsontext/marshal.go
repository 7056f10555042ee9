package jsontext

import (
	"bytes"
	"encoding/json"
)

// Marshal is json.Marshal without its escapes for HTML, which only cost a model tokens.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}

	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
