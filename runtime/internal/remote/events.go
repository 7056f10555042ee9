package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Events reads server-sent events: lines that end with \n, \r\n or \r, and an empty one after each event. Comments and fields
// other than data are passed over.
type Events struct {
	in *bufio.Reader
	// returned says that the last line ended with \r, so that \n, if it is next, belongs to it.
	returned bool
	// line and data are of the last ones, and overwritten by the next: a stream has thousands.
	line, data []byte
}

// Done is the data of the last event of servers that send one; it is not JSON.
const Done = "[DONE]"

var dataField = []byte("data")

// NewEvents reads the events of a body.
func NewEvents(in *bufio.Reader) *Events { return &Events{in: in} }

// Next returns the data of the next event that has any, without the line break at its end, until it is called again. White space
// is none: some servers send such events so that a connection stays open. Errors: io.EOF at the end; io.ErrUnexpectedEOF if the
// end cuts an event off.
func (e *Events) Next() ([]byte, error) {
	data, has := e.data[:0], false
	for {
		line, err := e.readLine()
		if value, ok := dataOf(line); ok {
			if has {
				data = append(data, '\n')
			}
			data, has = append(data, value...), true
			e.data = data
		}
		ended := err != nil || len(line) == 0
		if ended && len(bytes.TrimSpace(data)) == 0 {
			data, has = data[:0], false
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case err != nil && !has:
			return nil, io.EOF
		case err != nil && !json.Valid(data) && string(data) != Done:
			return nil, io.ErrUnexpectedEOF
		case has && ended:
			return data, nil
		}
	}
}

// dataOf is the value of a line whose field is data.
func dataOf(line []byte) (value []byte, ok bool) {
	value, ok = bytes.CutPrefix(line, dataField)
	if !ok || len(value) == 0 {
		return nil, ok
	}

	return bytes.TrimPrefix(value[1:], []byte(" ")), value[0] == ':'
}

// readLine reads a line without its end, which is there until the next is read. What is before the end of the file is returned
// with io.EOF.
func (e *Events) readLine() ([]byte, error) {
	if line, ok := e.bufferedLine(); ok {
		return line, nil
	}
	e.line = e.line[:0]
	for {
		first, err := e.in.Peek(1)
		if err != nil {
			return e.line, err
		}
		after := e.returned
		e.returned = false
		if after && first[0] == '\n' { // the other half of the line break before
			_, _ = e.in.Discard(1)
			continue
		}
		here, _ := e.in.Peek(e.in.Buffered())
		to := bytes.IndexByte(here, '\n')
		if to < 0 {
			to = len(here)
		}
		if r := bytes.IndexByte(here[:to], '\r'); r >= 0 {
			to, e.returned = r, true
		}
		e.line = append(e.line, here[:to]...)
		_, _ = e.in.Discard(min(to+1, len(here)))
		if to < len(here) {
			return e.line, nil
		}
	}
}

// bufferedLine reads a line that has come whole and ends with \n, as nearly all do, where it is.
func (e *Events) bufferedLine() (line []byte, ok bool) {
	here, _ := e.in.Peek(e.in.Buffered())
	to := bytes.IndexByte(here, '\n')
	if to < 0 || e.returned || bytes.IndexByte(here[:to], '\r') >= 0 {
		return nil, false
	}
	_, _ = e.in.Discard(to + 1)

	return here[:to], true
}
