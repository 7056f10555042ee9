package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/stores/appendlog"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// maxLine is how many bytes a line of a recording may have. No model takes so much.
const maxLine = 64 << 20

// Recording is a recording in memory. It is safe for concurrent use.
type Recording struct {
	// Path is the file from which it was read; "" if it is not known.
	Path string
	// Program and Shape identify the program that was recorded, the newest if there are several.
	Program, Shape string
	// Torn reports that the last line is incomplete, as after a crash. It is ignored.
	Torn bool

	entries []*entry
	// byKey are the entries of equal requests, whatever their models.
	byKey map[digest][]*entry
	// whole is where the last complete line ends, in bytes; open reports whether it has no line
	// break.
	whole int64
	open  bool
}

// entry is a line of a recording that was read.
type entry struct {
	line, header int
	at, agent    string
	request      *stored
	reply        *reply
	failure      *failure
}

// stored is a request whose messages it shares with those that begin like it.
type stored struct {
	request
	// last is the end of the messages, which are not in the request; nil without any.
	last *node
	// label is what lines that are like it call it, digest that of all but its model.
	label  string
	digest digest
}

// node is a message with those before it.
type node struct {
	before *node
	count  int
	digest digest
	// first is the request that was the first to have it.
	first *stored
	message
}

// Len returns the number of replies in a recording.
func (r *Recording) Len() int { return len(r.entries) }

// ReadFile reads the recording of a file. Errors: those of [Read], and of the file system.
func ReadFile(path string) (*Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	return Read(file, path)
}

// Read reads a recording; path names it in errors. Errors: *FormatError, and those of the reader.
func Read(from io.Reader, path string) (*Recording, error) {
	d, err := readDecoder(from, path)
	if err != nil {
		return nil, err
	}

	return d.recording, nil
}

// readDecoder is Read that returns all that is known of the file, and whether it ends without a line break.
func readDecoder(from io.Reader, path string) (*decoder, error) {
	d := newDecoder(path)
	lines := bufio.NewReaderSize(from, 64<<10)
	for number := 1; ; number++ {
		text, err := appendlog.ReadLine(lines, maxLine)
		if errors.Is(err, appendlog.ErrLong) {
			return nil, d.newFormatError(number, fmt.Sprintf("it is longer than %d bytes", maxLine), err)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(text) > 0 {
			if done, bad := d.readLine(number, text, err != nil); bad != nil {
				return nil, bad
			} else if done {
				d.recording.whole += int64(len(text))
				d.recording.open = err != nil
			}
		}
		if err != nil {
			break
		}
	}
	if len(d.headers) == 0 && d.recording.whole+int64(lines.Buffered()) > 0 {
		return nil, d.newFormatError(1, noHeader, nil)
	}

	return d, nil
}

// decoder reads the lines of a recording.
type decoder struct {
	recording *Recording
	headers   []header
	// labels are the requests by what their lines call them.
	labels map[string]*stored
	// nodes are all messages that there are, each with those before it, systems the first requests that have their system prompts.
	nodes   map[digest]*node
	systems map[string]*stored
}

func newDecoder(path string) *decoder {
	return &decoder{
		recording: &Recording{Path: path, byKey: map[digest][]*entry{}},
		labels:    map[string]*stored{}, nodes: map[digest]*node{}, systems: map[string]*stored{},
	}
}

const noHeader = `it is not a recording: the first line of one begins with {"format":"` + format + `"`

func (d *decoder) newFormatError(number int, problem string, err error) error {
	return &FormatError{Path: d.recording.Path, Line: number, Problem: problem, Err: err}
}

// readLine reads a line; last reports whether it is the last one and has no line break. It is not
// done if it is torn, and not an error then.
func (d *decoder) readLine(number int, text []byte, last bool) (done bool, err error) {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 {
		return true, nil
	}
	if last && (len(d.headers) > 0 || isTornHeader(trimmed)) && !json.Valid(trimmed) {
		d.recording.Torn = true

		return false, nil
	}
	if len(d.headers) == 0 || bytes.HasPrefix(trimmed, []byte(`{"format":`)) {
		return true, d.readHeader(number, trimmed)
	}
	var l line
	if err := jsontext.Strictly(trimmed, &l); err != nil {
		return false, d.newFormatError(number, err.Error(), err)
	}

	return true, d.readEntry(number, &l)
}

// isTornHeader reports whether a first line may be the part of a header that a crash has left.
func isTornHeader(text []byte) bool {
	const begins = `{"format":"` + format + `"`
	n := min(len(text), len(begins))

	return string(text[:n]) == begins[:n]
}

func (d *decoder) readHeader(number int, text []byte) error {
	var h header
	switch err := jsontext.Strictly(text, &h); {
	case h.Format != format:
		return d.newFormatError(number, noHeader, err)
	case h.Version != version:
		return d.newFormatError(number, fmt.Sprintf("its version is %d, and this program reads version %d", h.Version, version), nil)
	case err != nil:
		return d.newFormatError(number, err.Error(), err)
	}
	d.headers = append(d.headers, h)
	d.recording.Program, d.recording.Shape = h.Program, h.Shape

	return nil
}

func (d *decoder) readEntry(number int, l *line) error {
	q := &stored{label: l.Request, request: request{model: l.Model, settings: model.Settings(l.NamedSettings)}}
	if (l.Reply == nil) == (l.Error == nil) {
		return d.newFormatError(number, "a line has reply or error, one of them", nil)
	}
	if l.Like != "" {
		like := d.labels[l.Like]
		if like == nil {
			return d.newFormatError(number, "it is like "+l.Like+", which no line before it is", nil)
		}
		q.system, q.tools, q.schema, q.last = like.system, like.tools, like.schema, like.last
		if l.Keep != nil {
			if *l.Keep < 0 || *l.Keep > q.last.length() {
				return d.newFormatError(number, fmt.Sprintf("it keeps %d messages of %s, which has %d", *l.Keep, l.Like, q.last.length()), nil)
			}
			q.last = q.last.firstOf(*l.Keep)
		}
	}
	if l.System != nil {
		q.system = *l.System
	}
	if l.Tools != nil {
		q.tools = *l.Tools
	}
	if l.Schema != nil {
		q.schema = *l.Schema
	}
	for i := range l.Messages {
		q.last = d.nodeAfter(q.last, &l.Messages[i], q)
	}
	d.addEntry(number, l, q)

	return nil
}

func (d *decoder) addEntry(number int, l *line, q *stored) {
	r := d.recording
	e := &entry{line: number, header: len(d.headers) - 1, at: l.At, agent: l.Agent, request: q, reply: l.Reply, failure: l.Error}
	q.digest = q.keyOf(q.last.prefixDigest())
	r.entries = append(r.entries, e)
	r.byKey[q.digest] = append(r.byKey[q.digest], e)
	if old := d.labels[q.label]; q.label != "" && (old == nil || old.digest != q.digest) {
		d.labels[q.label] = q
	}
	if d.systems[q.system] == nil {
		d.systems[q.system] = q
	}
}

// nodeAfter returns the node of a message after another one, and adds it if it is new.
func (d *decoder) nodeAfter(before *node, m *message, first *stored) *node {
	sum := extendDigest(before.prefixDigest(), m)
	n := d.nodes[sum]
	if n == nil {
		n = &node{before: before, count: before.length() + 1, digest: sum, first: first, message: *m}
		d.nodes[sum] = n
	}

	return n
}

// prefixDigest returns the digest of the messages up to a node; zero for nil.
func (n *node) prefixDigest() (none digest) {
	if n == nil {
		return none
	}

	return n.digest
}

// length returns the number of messages up to a node.
func (n *node) length() int {
	if n == nil {
		return 0
	}

	return n.count
}

// firstOf is the end of the first count messages.
func (n *node) firstOf(count int) *node {
	for n.length() > count {
		n = n.before
	}

	return n
}

// commonPrefix returns the end of the longest prefix that the messages have in common with those of
// the digests.
func (n *node) commonPrefix(all []digest) *node {
	n = n.firstOf(len(all) - 1)
	for n != nil && n.digest != all[n.count] {
		n = n.before
	}

	return n
}

// wholeRequest returns the request with its messages.
func (q *stored) wholeRequest() *request {
	whole := q.request
	for n := q.last; n != nil; n = n.before {
		whole.messages = append(whole.messages, n.message)
	}
	slices.Reverse(whole.messages)

	return &whole
}
