package runtime

import "github.com/agentc-dev/agentc/runtime/internal/jsontext"

const hexDigits = jsontext.HexDigits

// appendString appends text as a JSON string.
func appendString(dst []byte, text string) []byte { return jsontext.Append(dst, text) }
