package core

import (
	"encoding/json"
	"errors"
)

// EncodeError writes an error so that [DecodeError] gives one with the same text back, which says the same to errors.Is and
// errors.As about the errors and types of package runtime.
func EncodeError(err error) []byte {
	data, problem := json.Marshal(nodeOf(err))
	if problem != nil {
		data, _ = json.Marshal(textNode(err.Error()))
	}

	return data
}

// DecodeError reads what EncodeError has written; of anything else it makes an error with that text.
func DecodeError(data []byte) error {
	var node *errorNode
	if json.Unmarshal(data, &node) == nil && node != nil {
		if err := node.error(); err != nil {
			return err
		}
	}

	return errors.New(string(data))
}
