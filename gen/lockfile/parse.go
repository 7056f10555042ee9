package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/agentc-dev/agentc/gen/source"
)

// Error says why a file is no lock.
type Error struct {
	// At is the place, as far as it is known.
	At      source.Span
	Problem string
}

func (e *Error) Error() string { return Name + " cannot be read: " + e.Problem }

// Parse reads the file. The error is an *Error.
func Parse(f *source.File) (*Lock, error) {
	l := &Lock{}
	d := json.NewDecoder(bytes.NewReader(f.Bytes))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, unreadable(f, d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &Error{At: place(f, d.InputOffset()), Problem: "something stands behind its end"}
	}
	if l.Format != Format {
		return nil, &Error{At: place(f, 0), Problem: fmt.Sprintf("its format is %d, and this version of agentc reads format %d", l.Format, Format)}
	}
	for name, s := range l.Servers {
		if s == nil {
			return nil, &Error{At: place(f, 0), Problem: fmt.Sprintf("of server %q nothing is said", name)}
		}
		if err := s.compact(); err != nil {
			return nil, &Error{At: place(f, 0), Problem: err.Error()}
		}
	}
	l.locate(f)

	return l, nil
}

// compact writes the schemas as [Server.Seal] does: in the file they stand with white space.
func (s *Server) compact() error {
	for i := range s.Tools {
		t := &s.Tools[i]
		for _, schema := range []*json.RawMessage{&t.Input, &t.Output} {
			if *schema == nil {
				continue
			}
			text, err := Canonical(*schema)
			if err != nil {
				return err
			}
			*schema = text
		}
	}

	return nil
}

// Intact reports whether the tool is as it was sealed.
func (t Tool) Intact() bool { return t.Digest == t.digest() }

// unreadable says at which place a file stops being a lock.
func unreadable(f *source.File, d *json.Decoder, err error) *Error {
	at := d.InputOffset()
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset - 1
	case errors.As(err, &typed):
		at = typed.Offset - 1
	}

	return &Error{At: place(f, at), Problem: err.Error()}
}

func place(f *source.File, at int64) source.Span {
	start := min(max(int(at), 0), len(f.Bytes))

	return source.Span{File: f, Start: start, End: min(start+1, len(f.Bytes))}
}

// locate notes where the names of the servers stand, as the file is written; elsewhere a server has the place of the file.
func (l *Lock) locate(f *source.File) {
	for name, s := range l.Servers {
		s.At = place(f, 0)
		if at := bytes.Index(f.Bytes, []byte("\n    \""+name+"\": {")); at >= 0 {
			start := at + len("\n    ")
			s.At = source.Span{File: f, Start: start, End: start + len(name) + 2}
		}
	}
}
