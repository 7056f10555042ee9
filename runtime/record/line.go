package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
)

// maxLine is how long a line can be: a value and metadata of the largest size, each byte escaped, and room for the rest.
const maxLine = 16 << 20

// A line ends with its hash: the field's name, 64 digits, a quote and the brace.
const (
	hashField = `,"hash":"`
	hashSize  = len(hashField) + 2*sha256.Size + len(`"}`)
)

// zeroHash is what the first line follows.
var zeroHash = strings.Repeat("0", 2*sha256.Size)

// Append appends the line of the entry, with its line break, after setting its hash.
func (e *Entry) Append(dst []byte) []byte {
	start := len(dst)
	dst = e.appendFields(dst)
	sum := sha256.Sum256(dst[start:])
	e.Hash = hex.EncodeToString(sum[:])
	dst = append(dst, hashField...)
	dst = append(dst, e.Hash...)

	return append(dst, "\"}\n"...)
}

// tidy makes the entry such that it comes out of its line as it is: times in UTC, texts in valid UTF-8.
func (e *Entry) tidy() {
	e.Time, e.Expires = e.Time.UTC(), e.Expires.UTC()
	for _, text := range []*string{&e.ID, &e.Agent, &e.Identity, &e.Key, &e.From, &e.To, &e.Error, &e.Value, &e.Metadata} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
}

// appendFields appends the bytes that are hashed.
func (e *Entry) appendFields(dst []byte) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendUint(dst, e.Seq, 10)
	dst = appendTime(dst, "time", e.Time)
	dst = append(dst, `,"kind":`...)
	dst = jsontext.Append(dst, string(e.Kind))
	dst = append(dst, `,"result":`...)
	dst = jsontext.Append(dst, string(e.Result))
	dst = appendText(dst, "id", e.ID)
	dst = appendText(dst, "agent", e.Agent)
	dst = appendText(dst, "identity", e.Identity)
	dst = appendText(dst, "key", e.Key)
	dst = appendText(dst, "from", e.From)
	dst = appendText(dst, "to", e.To)
	dst = appendTexts(dst, "exit", e.Exit)
	dst = appendTexts(dst, "enter", e.Enter)
	dst = appendText(dst, "error", e.Error)
	if e.Expected != nil {
		dst = append(dst, `,"expected":`...)
		dst = strconv.AppendUint(dst, *e.Expected, 10)
	}
	if e.Version != 0 {
		dst = append(dst, `,"version":`...)
		dst = strconv.AppendUint(dst, e.Version, 10)
	}
	if !e.Expires.IsZero() {
		dst = appendTime(dst, "expires", e.Expires)
	}
	dst = appendText(dst, "value", e.Value)
	dst = appendText(dst, "metadata", e.Metadata)
	if e.Snapshot != "" {
		dst = append(dst, `,"snapshot":`...)
		dst = append(dst, e.Snapshot...)
	}
	dst = append(dst, `,"prev":"`...)
	dst = append(dst, e.Prev...)

	return append(dst, '"')
}

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)

	return jsontext.Append(dst, text)
}

func appendTexts(dst []byte, name string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	for i, text := range texts {
		dst = jsontext.Append(append(dst, "[,"[min(i, 1)]), text)
	}

	return append(dst, ']')
}

func appendTime(dst []byte, name string, at time.Time) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":"`...)
	dst = at.UTC().AppendFormat(dst, time.RFC3339Nano)

	return append(dst, '"')
}

// wire is a line for encoding/json.
type wire struct {
	Seq      uint64          `json:"seq"`
	Time     time.Time       `json:"time"`
	Kind     Kind            `json:"kind"`
	Result   Result          `json:"result"`
	ID       string          `json:"id"`
	Agent    string          `json:"agent"`
	Identity string          `json:"identity"`
	Key      string          `json:"key"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Exit     []string        `json:"exit"`
	Enter    []string        `json:"enter"`
	Error    string          `json:"error"`
	Expected *uint64         `json:"expected"`
	Version  uint64          `json:"version"`
	Expires  time.Time       `json:"expires"`
	Value    string          `json:"value"`
	Metadata string          `json:"metadata"`
	Snapshot json.RawMessage `json:"snapshot"`
	Prev     string          `json:"prev"`
	Hash     string          `json:"hash"`
}

// parse reads a line, without its line break. The problem says what is wrong with it, as a clause; "" if nothing is.
func parse(line []byte) (e Entry, problem string) {
	fields, stated, ok := splitHash(line)
	if !ok {
		return e, "it has no hash"
	}
	sum := sha256.Sum256(fields)
	if hex.EncodeToString(sum[:]) != stated {
		return e, "its hash does not fit: it was changed"
	}

	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		return e, "it is no entry: " + err.Error()
	}
	e = Entry{
		Seq: w.Seq, Time: w.Time, Kind: w.Kind, Result: w.Result, ID: w.ID, Agent: w.Agent, Identity: w.Identity,
		Key: w.Key, From: w.From, To: w.To, Exit: w.Exit, Enter: w.Enter, Error: w.Error, Expected: w.Expected, Version: w.Version, Expires: w.Expires,
		Value: w.Value, Metadata: w.Metadata, Snapshot: string(w.Snapshot), Prev: w.Prev, Hash: stated,
	}
	if !bytes.Equal(e.appendFields(make([]byte, 0, len(fields))), fields) {
		return e, "it is not spelled as entries are"
	}

	return e, ""
}

// splitHash parts the bytes that are hashed from the hash.
func splitHash(line []byte) (fields []byte, hash string, ok bool) {
	at := len(line) - hashSize
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(hashField)) || !bytes.HasSuffix(line, []byte(`"}`)) {
		return nil, "", false
	}

	return line[:at], string(line[at+len(hashField) : len(line)-len(`"}`)]), true
}
