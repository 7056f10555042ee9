package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// Events reads server-sent events: lines that end with \n, \r\n or \r, and an empty one after each
// event. Comments and fields other than data are passed over, but for those that report an error;
// see [Events.IsError].
type Events struct {
	lines *bufio.Scanner
	// returned reports whether the last line ended with \r, so that \n, if it is next, belongs to
	// it.
	returned bool
	// data is the data of the last event, and overwritten by the next: a stream has thousands.
	data []byte
	// isError reports whether the last event reports an error.
	isError bool
}

// Done is the data of the last event of servers that send one; it is not JSON.
const Done = "[DONE]"

// NewEvents reads the events of a body.
func NewEvents(in io.Reader) *Events {
	e := &Events{lines: bufio.NewScanner(in)}
	e.lines.Buffer(nil, math.MaxInt) // the body is bounded
	e.lines.Split(e.split)

	return e
}

// Next returns the data of the next event that has any, without the line break at its end, until it is called again. White space
// is none: some servers send such events so that a connection stays open. Errors: io.EOF at the end; io.ErrUnexpectedEOF if the
// end cuts an event off.
func (e *Events) Next() ([]byte, error) {
	e.data, e.isError = e.data[:0], false
	has := false
	for e.lines.Scan() {
		line := e.lines.Bytes()
		if value, ok := e.dataOf(line); ok {
			if has {
				e.data = append(e.data, '\n')
			}
			e.data, has = append(e.data, value...), true
		}
		if len(line) > 0 {
			continue
		}
		if e.isError || !e.blank() {
			return e.data, nil
		}
		e.data, has = e.data[:0], false
	}
	switch err := e.lines.Err(); {
	case err != nil:
		return nil, err
	case e.isError:
		return e.data, nil
	case e.blank():
		return nil, io.EOF
	case !json.Valid(e.data) && string(e.data) != Done:
		return nil, io.ErrUnexpectedEOF
	}

	return e.data, nil
}

func (e *Events) blank() bool { return len(bytes.TrimSpace(e.data)) == 0 }

// IsError reports whether the last event reports an error: its name is error, or it has a line of
// the field error, or a line that is an error as JSON, without a field.
func (e *Events) IsError() bool { return e.isError }

// bareError begins a line that is an error as JSON.
var bareError = []byte(`{"error"`)

// dataOf returns what a line adds to the data of its event, and notes whether the event reports an
// error.
func (e *Events) dataOf(line []byte) (value []byte, ok bool) {
	if bytes.HasPrefix(line, bareError) {
		e.isError = true

		return line, true
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		return value, true
	case "error":
		e.isError = true

		return value, true
	case "event":
		e.isError = string(value) == "error"
	}

	return nil, false
}

// split is the bufio.SplitFunc of the lines.
func (e *Events) split(in []byte, atEnd bool) (n int, line []byte, err error) {
	if e.returned && len(in) > 0 {
		e.returned = false
		if in[0] == '\n' { // the other half of the line break before
			in, n = in[1:], 1
		}
	}
	to := bytes.IndexByte(in, '\n')
	if to < 0 {
		to = len(in)
	}
	if r := bytes.IndexByte(in[:to], '\r'); r >= 0 {
		to, e.returned = r, true
	}
	switch {
	case to < len(in):
		return n + to + 1, in[:to], nil
	case atEnd && to > 0:
		return n + to, in, nil
	}

	return n, nil, nil // there is more to come
}
