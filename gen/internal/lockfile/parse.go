package lockfile

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Foreign reports a file of a format that another version of agentc has written: nothing else can be said of it. It is nil for others.
func Foreign(root *yamldoc.Node) *diag.Diagnostic {
	format := root.Value("format")
	if format == nil || format.Kind != yamldoc.Int && format.Kind != yamldoc.Float || format.Text == strconv.Itoa(Format) {
		return nil
	}

	return diag.New(diag.BadValue, format.Span, "the format of the file is %s, and this version of agentc reads format %d", format.Text, Format)
}

// Parse reads the file, whose tree fits the schema.
func Parse(f *source.File, root *yamldoc.Node) (*Lock, error) {
	l := &Lock{}
	if err := json.Unmarshal(f.Bytes, l); err != nil {
		return nil, err
	}
	for _, field := range root.Value("servers").Fields {
		s := l.Servers[field.Key.Text]
		s.At = field.Key.Span
		if err := s.compact(); err != nil {
			return nil, err
		}
	}

	return l, nil
}

// compact writes the schemas without white space, which they have in the file.
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
