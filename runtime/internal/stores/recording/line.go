package recording

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Provider is the provider of models that are recordings, as in replay:FILE.
const Provider = "replay"

// format is the first word of a recording, version the number of what this package writes.
const (
	format  = "agentc-recording"
	version = 1
)

// header is a line with the program that made the lines after it.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Program string `json:"program,omitempty"`
	Shape   string `json:"shape,omitempty"`
}

// line is a request with its outcome. What is absent of system, tools, schema and messages is the
// same as in the request Like.
type line struct {
	Request string `json:"request"`
	At      string `json:"at,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Model   string `json:"model,omitempty"`
	model.NamedSettings
	Like     string    `json:"like,omitempty"`
	Keep     *int      `json:"keep,omitempty"`
	System   *string   `json:"system,omitempty"`
	Tools    *[]tool   `json:"tools,omitempty"`
	Schema   *value    `json:"schema,omitempty"`
	Messages []message `json:"messages,omitempty"`
	Reply    *reply    `json:"reply,omitempty"`
	Error    *failure  `json:"error,omitempty"`
}

// tool is a tool as the model was offered it.
type tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      value  `json:"schema,omitempty"`
}

// message is a message of the conversation. Call is the number of the call that a tool's result is for.
type message struct {
	Role   string `json:"role"`
	Text   string `json:"text,omitempty"`
	Calls  []call `json:"calls,omitempty"`
	Call   string `json:"call,omitempty"`
	Name   string `json:"name,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// call is a call that the model asks for; ID is its number in the conversation.
type call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args value  `json:"args,omitempty"`
}

// reply is what the model answered.
type reply struct {
	Text  string `json:"text,omitempty"`
	Calls []call `json:"calls,omitempty"`
	Stop  string `json:"stop,omitempty"`
	Model string `json:"model,omitempty"`
	Usage usage  `json:"usage,omitzero"`
	// Cost is in millionths of a US dollar.
	Cost int64 `json:"cost,omitempty"`
}

type usage struct {
	Input  int `json:"input,omitempty"`
	Output int `json:"output,omitempty"`
	Cached int `json:"cached,omitempty"`
	Stored int `json:"stored,omitempty"`
	// Estimated reports whether the provider reported no numbers.
	Estimated bool `json:"estimated,omitempty"`
}

// asReply returns the reply as an engine gets it from a model.
func (r *reply) asReply() model.Reply {
	got := model.Reply{Text: r.Text, StopReason: r.Stop, Model: r.Model, Usage: model.Usage(r.Usage), Cost: r.Cost}
	for _, c := range r.Calls {
		got.Calls = append(got.Calls, model.ToolCall{ID: c.ID, Name: c.Name, Args: string(c.Args)})
	}

	return got
}

// failure is a call that failed: a *model.Error, or with After a *runtime.TimeoutError.
type failure struct {
	Class      string   `json:"class,omitempty"`
	Status     int      `json:"status,omitempty"`
	Message    string   `json:"message,omitempty"`
	Model      string   `json:"model,omitempty"`
	Agent      string   `json:"agent,omitempty"`
	RetryAfter duration `json:"retry_after,omitempty"`
	What       string   `json:"what,omitempty"`
	After      duration `json:"timeout,omitempty"`
	// Usage and Cost are what the call has used nevertheless.
	Usage usage `json:"usage,omitzero"`
	Cost  int64 `json:"cost,omitempty"`
}

// duration is a time that passes, written as 1.5s.
type duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = duration(parsed)

	return err
}

// value is text that mostly is JSON: then it is in its line as that, for people to read. Not a byte of it changes on the way.
type value string

// maxOpen bounds the objects and lists of a value that is as JSON: a line that is nested deeper than encoding/json goes could
// not be read back.
const maxOpen = 5000

// MarshalJSON implements json.Marshaler.
func (v value) MarshalJSON() ([]byte, error) {
	text := []byte(v)
	if isCompact(text) {
		return text, nil
	}

	return json.Marshal(string(v))
}

// isCompact reports whether a text is an object or a list as compact JSON.
func isCompact(text []byte) bool {
	isObjectOrList := len(text) > 1 && (text[0] == '{' || text[0] == '[')
	if !isObjectOrList || bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > maxOpen {
		return false
	}
	var compact bytes.Buffer

	return json.Compact(&compact, text) == nil && bytes.Equal(compact.Bytes(), text)
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(text []byte) error {
	if text[0] == '{' || text[0] == '[' {
		*v = value(text)

		return nil
	}
	var s string
	err := json.Unmarshal(text, &s)
	*v = value(s)

	return err
}

// appendLine appends a line as JSON, with the line break behind it.
func appendLine(dst []byte, line any) ([]byte, error) {
	text, err := jsontext.Marshal(line)
	if err != nil {
		return dst, err
	}

	return append(append(dst, text...), '\n'), nil
}
