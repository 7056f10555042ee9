package wiretest

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Body answers with a status, a type of content, and the body. headers are names and values in
// turn.
func Body(status int, contentType, body string, headers ...string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// JSON is Body with JSON.
func JSON(status int, body string, headers ...string) Answer {
	return Body(status, "application/json", body, headers...)
}

// Events answers with server-sent events that have this data, each sent when it is written.
func Events(data ...string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		for _, d := range data {
			_, _ = io.WriteString(w, "data: "+strings.ReplaceAll(d, "\n", "\ndata: ")+"\n\n")
			flushWriter(w)
		}
	}
}

// Page answers with a page for people, as proxies do.
func Page(status int, title string) Answer {
	return Body(status, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>"+title+"</title></head>\n<body><h1>"+title+
		"</h1><hr>nginx</body></html>\n")
}

// Redirect sends the caller who asks to another address.
func Redirect(status int, to string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(status)
	}
}

// Mute never answers.
func Mute() Answer {
	return func(_ http.ResponseWriter, r *Request) { waitForCaller(r) }
}

// waitForCaller writes nothing until the caller has left.
func waitForCaller(r *Request) {
	<-r.Gone
	panic(http.ErrAbortHandler)
}

// Flood answers with a status and a body of size bytes: before, as many spaces as it takes, after.
// Its length is not said beforehand.
func Flood(status int, contentType, before, after string, size int) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, before)
		fill := strings.Repeat(" ", 1<<16)
		for left := size - len(before) - len(after); left > 0; {
			n, err := io.WriteString(w, fill[:min(left, len(fill))])
			if err != nil {
				panic(http.ErrAbortHandler) // the reader is gone
			}
			left -= n
		}
		_, _ = io.WriteString(w, after)
	}
}

// Raw writes these bytes instead of a response, and closes the connection.
func Raw(text string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(connection, text)
		_ = connection.Close()
	}
}

// Lying is Body that says another length than it has.
func Lying(contentType, body string, length int) Answer {
	return Raw("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nContent-Length: " + strconv.Itoa(length) + "\r\n\r\n" + body)
}

// Cut ends an answer after so many bytes of its body, with the connection.
func Cut(answer Answer, after int) Answer {
	return func(w http.ResponseWriter, r *Request) {
		answer(&breaking{ResponseWriter: w, left: after, then: func() { panic(http.ErrAbortHandler) }}, r)
		panic(http.ErrAbortHandler)
	}
}

// Stall lets an answer go silent after so many bytes of its body; the connection stays open.
func Stall(answer Answer, after int) Answer {
	return func(w http.ResponseWriter, r *Request) {
		answer(&breaking{ResponseWriter: w, left: after, then: func() { waitForCaller(r) }}, r)
		flushWriter(w)
		waitForCaller(r)
	}
}

// Drip lets an answer come a few bytes at a time.
func Drip(answer Answer, bytes int, every time.Duration) Answer {
	return func(w http.ResponseWriter, r *Request) {
		answer(&dripping{ResponseWriter: w, bytes: bytes, every: every, gone: r.Gone}, r)
	}
}

// Tail sends more behind the body of an answer.
func Tail(answer Answer, more string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		answer(w, r)
		_, _ = io.WriteString(w, more)
	}
}

func flushWriter(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// breaking lets so many bytes through.
type breaking struct {
	http.ResponseWriter
	left int
	then func()
}

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) < b.left {
		b.left -= len(p)

		return b.ResponseWriter.Write(p)
	}
	_, _ = b.ResponseWriter.Write(p[:b.left])
	flushWriter(b.ResponseWriter)
	b.then()

	return 0, io.ErrClosedPipe
}

func (b *breaking) Flush() { flushWriter(b.ResponseWriter) }

type dripping struct {
	http.ResponseWriter
	bytes int
	every time.Duration
	gone  <-chan struct{}
}

func (d *dripping) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(d.bytes, len(rest))
		if _, err := d.ResponseWriter.Write(rest[:n]); err != nil {
			return 0, err
		}
		flushWriter(d.ResponseWriter)
		rest = rest[n:]
		select {
		case <-d.gone:
			panic(http.ErrAbortHandler)
		case <-time.After(d.every):
		}
	}

	return len(p), nil
}

func (d *dripping) Flush() {}

// Quoted is a text as JSON.
func Quoted(text string) string { return string(jsontext.Append(nil, text)) }

// Halves are the two parts of a text, cut between two characters.
func Halves(text string) (first, second string) {
	half := len(text) / 2
	for half > 0 && !utf8.RuneStart(text[half]) {
		half--
	}

	return text[:half], text[half:]
}
