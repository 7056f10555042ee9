package serve

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
)

// The forms of a stream.
const (
	ndjson      = "application/x-ndjson"
	eventStream = "text/event-stream"
)

// aliveTime is how often a stream of server-sent events sends a sign of life.
const aliveTime = 15 * time.Second

// lines writes events to a client.
type lines struct {
	w          http.ResponseWriter
	controller *http.ResponseController
	events     bool // server-sent events
	buffer     []byte
}

// pieceBytes is how much of a stream is in memory for a client that does not read.
const pieceBytes = 128 << 10

// newLines makes a stream in the form that the client accepts.
func newLines(w http.ResponseWriter, r *http.Request) (*lines, error) {
	form, ok := chooseForm(r.Header.Values("Accept"))
	if !ok {
		return nil, newRequestError(http.StatusNotAcceptable, "AcceptError", "events can be had as %s and %s", ndjson, eventStream)
	}

	return &lines{w: w, controller: http.NewResponseController(w), events: form == eventStream}, nil
}

// writeHeader sets the header of the stream.
func (l *lines) writeHeader() {
	_ = l.controller.SetReadDeadline(time.Time{}) // the request has been read, and a stream may last
	form := ndjson
	if l.events {
		form = eventStream
	}
	l.w.Header().Set("Content-Type", form)
	l.w.Header().Set("X-Accel-Buffering", "no") // proxies are not to hold events back
}

// chooseForm chooses a form of a stream from the Accept headers.
func chooseForm(headers []string) (form string, ok bool) {
	if len(headers) == 0 {
		return ndjson, true
	}
	for _, choice := range strings.Split(strings.Join(headers, ","), ",") {
		name, _, _ := strings.Cut(choice, ";")
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case eventStream, ndjson:
			return name, true
		case "*/*", "application/*", "application/json":
			return ndjson, true
		}
	}

	return "", false
}

// appendLineStart appends the text before the line of an event.
func (l *lines) appendLineStart(dst []byte, seq int, kind event.Kind) []byte {
	if !l.events {
		return dst
	}
	if seq > 0 {
		dst = append(strconv.AppendInt(append(dst, "id: "...), int64(seq), 10), '\n')
	}

	return append(append(append(dst, "event: "...), kind...), "\ndata: "...)
}

// lineEnd returns the text after the line of an event.
func (l *lines) lineEnd() string {
	if l.events {
		return "\n\n"
	}

	return "\n"
}

// addEvent adds an event to those to send. The line of a long event is shared with others and not
// copied.
func (l *lines) addEvent(e sentEvent) error {
	l.buffer = l.appendLineStart(l.buffer, e.seq, e.kind)
	if len(l.buffer)+len(e.line) > pieceBytes {
		if err := l.flushEvents(); err != nil {
			return err
		}
		if err := l.sendBytes(e.line); err != nil {
			return err
		}
	} else {
		l.buffer = append(l.buffer, e.line...)
	}
	l.buffer = append(l.buffer, l.lineEnd()...)

	return nil
}

// addPiece adds what the buffer has room for of an event of which so many bytes of its line were
// sent, and reports whether that is the rest.
func (l *lines) addPiece(e sentEvent, sent *int) (all bool) {
	if *sent == 0 {
		l.buffer = l.appendLineStart(l.buffer, e.seq, e.kind)
	}
	rest := e.line[*sent:]
	if room := max(pieceBytes-len(l.buffer), 1); len(rest) > room {
		l.buffer = append(l.buffer, rest[:room]...)
		*sent += room

		return false
	}
	l.buffer = append(append(l.buffer, rest...), l.lineEnd()...)
	*sent = 0

	return true
}

// sendKeepAlive keeps proxies from taking the connection for dead.
func (l *lines) sendKeepAlive() error {
	if !l.events {
		return nil
	}
	l.buffer = append(l.buffer, ":\n\n"...)

	return l.flushEvents()
}

// flushEvents sends what was added.
func (l *lines) flushEvents() error {
	if len(l.buffer) == 0 {
		return nil
	}
	if err := l.sendBytes(l.buffer); err != nil {
		return err
	}
	l.buffer = l.buffer[:0]

	return l.controller.Flush()
}

// sendBytes sends bytes piece by piece. It gives up on a client that does not take one in time.
func (l *lines) sendBytes(text []byte) error { return sendPieces(l.w, l.controller, text, writeTime) }

func sendPieces(w io.Writer, controller *http.ResponseController, text []byte, wait time.Duration) error {
	for piece := range slices.Chunk(text, pieceBytes) {
		if err := controller.SetWriteDeadline(time.Now().Add(wait)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}

	return nil
}
