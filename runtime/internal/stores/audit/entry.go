package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Kind is what was attempted.
type Kind string

// The kinds of entries.
const (
	// Create begins a live machine, in its initial state.
	Create Kind = "create"
	// Transition is a step of a live machine.
	Transition Kind = "transition"
	// Write gives a key of the blackboard a value, Delete takes it away.
	Write  Kind = "write"
	Delete Kind = "delete"
	// Ack acknowledges steps of a live machine: what had to be done with them is done.
	Ack Kind = "ack"
	// Expire is a value whose time was over.
	Expire Kind = "expire"
)

// Result is what became of it.
type Result string

// The results of entries. Only what was accepted has changed anything.
const (
	Accepted Result = "accepted"
	// Rejected: there is no such step, guards said no, or there is nothing of that name.
	Rejected Result = "rejected"
	// Denied: the caller may not do it.
	Denied Result = "denied"
	// Stale: something had happened since the caller looked.
	Stale Result = "stale"
	// Failed: it could not be decided, as a guard failed.
	Failed Result = "error"
)

// Entry is a line of the audit log: an attempt, and what became of it. The fields are on the line
// in this order.
type Entry struct {
	// Seq counts the lines, from 1.
	Seq    uint64    `json:"seq"`
	Time   time.Time `json:"time"`
	Kind   Kind      `json:"kind"`
	Result Result    `json:"result"`
	// ID is the live machine.
	ID string `json:"id,omitempty"`
	// Agent is the caller by its own account, Identity by its credential.
	Agent    string `json:"agent,omitempty"`
	Identity string `json:"identity,omitempty"`
	// Key is what was fired, or the key of the blackboard.
	Key string `json:"key,omitempty"`
	// From and To are states: where the machine was, and where it is now or, of a refused step, was
	// asked to go. An accepted step without To has ended the machine.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Exit and Enter are the names of what has to be done because a state was left, and another
	// entered.
	Exit  []string `json:"exit,omitempty"`
	Enter []string `json:"enter,omitempty"`
	// Error is why it was refused.
	Error string `json:"error,omitempty"`
	// Expected is the sequence number, or the version, that the caller insisted on; nil: none.
	Expected *uint64 `json:"expected,omitempty"`
	// Version is the sequence number that the machine has now.
	Version uint64 `json:"version,omitempty"`
	// Expires is when the value expires, or the timer of the machine's state fires.
	Expires time.Time `json:"expires,omitzero"`
	// Value is the text that came with a step, the JSON of a value, byte for byte, or of an Ack the
	// list of the entries. Metadata is JSON that came with a step, byte for byte too.
	Value    string `json:"value,omitempty"`
	Metadata string `json:"metadata,omitempty"`
	// Snapshot is the snapshot of the machine, from which it can be restored.
	Snapshot json.RawMessage `json:"snapshot,omitempty"`
	// Prev is the hash of the line before, Hash that of this one.
	Prev string `json:"prev"`
	Hash string `json:"hash,omitempty"`
}

// Head is the end of an audit log: a copy kept elsewhere shows later whether something before it
// was changed or cut off.
type Head struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"`
}

// Head is the end of the audit log when the entry was its last.
func (e *Entry) Head() Head { return Head{Seq: e.Seq, Hash: e.Hash} }

// maxLine is how long a line can be: a value and metadata of the largest size, each byte escaped,
// and room for the rest.
const maxLine = 16 << 20

// A line ends with its hash: the field's name, 64 digits, a quote and the brace.
const (
	hashField = `,"hash":"`
	hashSize  = len(hashField) + 2*sha256.Size + len(`"}`)
)

// zeroHash is what the first line follows.
var zeroHash = strings.Repeat("0", 2*sha256.Size)

// Append appends the line of the entry, with its line break, after setting its hash.
func (e *Entry) Append(dst []byte) ([]byte, error) {
	fields, err := e.hashedBytes()
	if err != nil {
		return nil, err
	}
	e.Hash = hashOf(fields)
	dst = append(append(append(dst, fields...), hashField...), e.Hash...)

	return append(dst, "\"}\n"...), nil
}

// hashedBytes returns the bytes that are hashed.
func (e *Entry) hashedBytes() ([]byte, error) {
	unhashed := *e
	unhashed.Hash = ""
	line, err := jsontext.Marshal(&unhashed)

	return bytes.TrimSuffix(line, []byte("}")), err
}

func hashOf(fields []byte) string {
	sum := sha256.Sum256(fields)

	return hex.EncodeToString(sum[:])
}

// normalize makes the entry equal to the one that is read back from its line: times in UTC, texts
// in valid UTF-8.
func (e *Entry) normalize() {
	e.Time, e.Expires = e.Time.UTC(), e.Expires.UTC()
	for _, text := range []*string{&e.ID, &e.Agent, &e.Identity, &e.Key, &e.From, &e.To, &e.Error, &e.Value, &e.Metadata} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
}

// parseLine reads a line, without its line break. The problem describes what is wrong with it, as a
// clause; it is "" for a valid line.
func parseLine(line []byte) (e Entry, problem string) {
	fields, hash, ok := splitHash(line)
	if !ok {
		return e, "it has no hash"
	}
	if hashOf(fields) != hash {
		return e, "its hash does not fit: it was changed"
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, "it is not an entry: " + err.Error()
	}
	if again, err := e.hashedBytes(); err != nil || !bytes.Equal(again, fields) {
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
