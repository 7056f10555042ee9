package serve

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The forms of a stream.
const (
	ndjson      = "application/x-ndjson"
	eventStream = "text/event-stream"
)

// aliveTime is how often a stream of server-sent events says that it is still there.
const aliveTime = 15 * time.Second

// lines writes events to a client.
type lines struct {
	w          http.ResponseWriter
	controller *http.ResponseController
	events     bool // server-sent events
	buffer     []byte
}

// newLines begins a stream in the form that the client accepts.
func newLines(w http.ResponseWriter, r *http.Request) (*lines, error) {
	form, ok := accepted(r.Header.Values("Accept"))
	if !ok {
		return nil, refuse(http.StatusNotAcceptable, "AcceptError", "events can be had as %s and %s", ndjson, eventStream)
	}
	l := &lines{w: w, controller: http.NewResponseController(w), events: form == eventStream}
	_ = l.controller.SetReadDeadline(time.Time{}) // the request has been read, and a stream may last
	w.Header().Set("Content-Type", form)
	w.Header().Set("X-Accel-Buffering", "no") // proxies are not to hold events back

	return l, nil
}

// accepted chooses a form of a stream.
func accepted(headers []string) (form string, ok bool) {
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

// add puts an event after those that will be sent.
func (l *lines) add(e told) {
	if !l.events {
		l.buffer = append(append(l.buffer, e.line...), '\n')
		return
	}
	if e.seq > 0 {
		l.buffer = append(strconv.AppendInt(append(l.buffer, "id: "...), int64(e.seq), 10), '\n')
	}
	l.buffer = append(append(append(l.buffer, "event: "...), e.kind...), "\ndata: "...)
	l.buffer = append(append(l.buffer, e.line...), "\n\n"...)
}

// alive keeps what lies between from taking the connection for dead.
func (l *lines) alive() error {
	if !l.events {
		return nil
	}
	l.buffer = append(l.buffer, ":\n\n"...)

	return l.flush()
}

// flush sends what was added. A client that does not read in time is left.
func (l *lines) flush() error {
	if err := l.controller.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := l.w.Write(l.buffer); err != nil {
		return err
	}
	l.buffer = l.buffer[:0]

	return l.controller.Flush()
}
