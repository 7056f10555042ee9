package lockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Name is the file's name, in the project folder.
const Name = "agentc.lock"

// Format is the version of the file's format that this package writes and reads.
const Format = 1

// Lock is the content of the file.
type Lock struct {
	Format  int                `json:"format"`
	Servers map[string]*Server `json:"servers"`
}

// Server is what is pinned of a server.
type Server struct {
	// Command or URL is how it was reached.
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Protocol is the version of the protocol that it spoke.
	Protocol string `json:"protocol"`
	// Called is what it calls itself, and Version its version, if it says so.
	Called  string `json:"called,omitempty"`
	Version string `json:"version,omitempty"`
	// Tools are sorted by name.
	Tools []Tool `json:"tools"`

	// At is the server's name in the file; the zero Span for one that was not read.
	At source.Span `json:"-"`
}

// Tool is what is pinned of a tool.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Input and Output are JSON Schemas as the server has them; Output is nil without one.
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output,omitempty"`
	// Hints are what the server says of its effect, sorted: additive, closed-world, idempotent, read-only.
	Hints []string `json:"hints,omitempty"`
	// Digest is over all of the others.
	Digest string `json:"digest"`
}

// Seal brings the tools into order and gives each its digest. Schemas that are not JSON are an error.
func (s *Server) Seal() error {
	slices.SortStableFunc(s.Tools, func(a, b Tool) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	if err := s.compact(); err != nil {
		return err
	}
	for i := range s.Tools {
		slices.Sort(s.Tools[i].Hints)
		s.Tools[i].Digest = s.Tools[i].digest()
	}

	return nil
}

// digest is that of the tool's canonical text.
func (t Tool) digest() string {
	t.Digest = ""
	text, err := encode(t, "")
	if err != nil {
		return "" // its schemas were parsed: this cannot be
	}
	sum := sha256.Sum256(text)

	return "sha256:" + hex.EncodeToString(sum[:])
}

// Text returns the content of the file.
func (l *Lock) Text() ([]byte, error) { return encode(l, "  ") }

// Canonical returns JSON with the members of its objects sorted, without white space.
func Canonical(text json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	written, err := encode(value, "")

	return bytes.TrimSpace(written), err
}

// encode writes a value in which <, > and & stay readable.
func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(value)

	return b.Bytes(), err
}

// Foreign reports a file of a format that another version of agentc has written: nothing else can be said of it. It is nil for others.
func Foreign(root *yamldoc.Node) *diag.Diagnostic {
	format := root.Value("format")
	if format == nil || format.Kind != yamldoc.Int && format.Kind != yamldoc.Float || format.Text == strconv.Itoa(Format) {
		return nil
	}

	return diag.New(diag.BadValue, format.Span, "the format of the file is %s, but this version of agentc reads format %d", format.Text, Format)
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
