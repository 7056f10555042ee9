package field

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Optional returns the fields with the given names and values. It leaves out a field whose
// value is "".
func Optional(pairs ...string) []journal.Field {
	fields := make([]journal.Field, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields = append(fields, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}
	}

	return fields
}

// Count writes a number. It returns "" for 0, so that the field is left out.
func Count(n int64) string {
	if n == 0 {
		return ""
	}

	return strconv.FormatInt(n, 10)
}

// Bool writes a boolean. It returns "" for false, so that the field is left out.
func Bool(b bool) string {
	if !b {
		return ""
	}

	return "true"
}

// ParseCount reads a number that Count has written.
func ParseCount(text string) (n int64, err error) {
	if text == "" {
		return 0, nil
	}

	return strconv.ParseInt(text, 10, 64)
}

// JSON returns a value as JSON. It panics if the value has no JSON: the value must consist of
// texts.
func JSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}

	return string(text)
}
