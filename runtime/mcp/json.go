package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// encodeJSON returns a value as JSON on one line, with &, < and > as they are. The values of this package can always be encoded.
func encodeJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Errorf("runtime/mcp cannot encode its own %T: %w", value, err))
	}

	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decodeArguments reads the arguments of a call, of which exact finds those that do not exist. An error is in the words of the caller: it names the argument.
func decodeArguments(arguments json.RawMessage, into any) error {
	if len(arguments) == 0 {
		return nil
	}
	err := json.Unmarshal(arguments, into)
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return newArgumentError(mistyped.Field, "must be "+kindInJSON(mistyped.Type.Kind().String())+", not "+
			strings.TrimPrefix(mistyped.Value, "number "))
	case errors.As(err, &mistyped):
		return newArgumentError("", "the arguments must be an object, not "+mistyped.Value)
	case err != nil:
		return newArgumentError("", "the arguments cannot be read: "+err.Error())
	}

	return nil
}

// kindInJSON returns the name that JSON has for a kind of Go value, with its article.
func kindInJSON(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "uint64":
		return "a whole number that is not negative"
	case "int", "float64":
		return "a number"
	case "bool":
		return "true or false"
	}

	return "a " + kind
}

// newArgumentError is an argument of a call that is missing or that the tool cannot take; "" if it is about all of them. problem completes the
// sentence that begins with the argument.
func newArgumentError(argument, problem string) error {
	return &errs.Coded{Code: "ArgumentError", Text: strings.TrimSpace(argument + " " + problem)}
}
