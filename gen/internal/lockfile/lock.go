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

// Name is the name of the file, which is in the project folder.
const Name = "agentc.lock"

// Format is the version of the file format that this package reads and writes.
const Format = 1

// Lock is the content of the file.
type Lock struct {
	Format  int                `json:"format"`
	Servers map[string]*Server `json:"servers"`
}

// Server is a pinned server.
type Server struct {
	// Command or URL is how it was reached.
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Protocol is the version of the protocol that it used.
	Protocol string `json:"protocol"`
	// Called is the name that the server gives itself, and Version its version; both are optional.
	Called  string `json:"called,omitempty"`
	Version string `json:"version,omitempty"`
	// Tools are sorted by name.
	Tools []Tool `json:"tools"`

	// At is the server's name in the file. It is the zero Span for a server that was not read from
	// a file.
	At source.Span `json:"-"`
}

// Tool is a pinned tool.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Input and Output are JSON Schemas as the server wrote them. Output is nil if the tool has
	// none.
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output,omitempty"`
	// Hints are the effects that the server declares, sorted: additive, closed-world, idempotent,
	// read-only.
	Hints []string `json:"hints,omitempty"`
	// Digest covers all other fields.
	Digest string `json:"digest"`
}

// Seal sorts the tools and sets their digests. It fails for a schema that is not JSON.
func (s *Server) Seal() error {
	slices.SortStableFunc(s.Tools, func(a, b Tool) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	err := s.compactSchemas()
	if err != nil {
		return err
	}
	for i := range s.Tools {
		slices.Sort(s.Tools[i].Hints)
		s.Tools[i].Digest = s.Tools[i].computeDigest()
	}

	return nil
}

// computeDigest returns the digest of the tool's canonical text.
func (t Tool) computeDigest() string {
	t.Digest = ""
	text, err := encodeJSON(t, "")
	if err != nil {
		return "" // Seal and Parse have parsed the schemas, so this cannot happen
	}
	sum := sha256.Sum256(text)

	return "sha256:" + hex.EncodeToString(sum[:])
}

// Encode returns the content of the file.
func (l *Lock) Encode() ([]byte, error) { return encodeJSON(l, "  ") }

// CanonicalJSON returns JSON without white space, with the members of its objects sorted.
func CanonicalJSON(text json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	if err != nil {
		return nil, err
	}
	written, err := encodeJSON(value, "")

	return bytes.TrimSpace(written), err
}

// encodeJSON returns the JSON of value with <, > and & unescaped.
func encodeJSON(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(value)

	return b.Bytes(), err
}

// CheckFormat reports a file that another version of agentc wrote. It returns nil for other files.
func CheckFormat(root *yamldoc.Node) *diag.Diagnostic {
	format := root.Value("format")
	isNumber := format != nil && (format.Kind == yamldoc.Int || format.Kind == yamldoc.Float)
	if !isNumber || format.Text == strconv.Itoa(Format) {
		return nil
	}

	return diag.New(diag.BadValue, format.Span,
		"the format of the file is %s, but this version of agentc reads format %d", format.Text, Format)
}

// Parse reads the file. root is its tree, which must fit the schema.
func Parse(f *source.File, root *yamldoc.Node) (*Lock, error) {
	l := &Lock{}
	err := json.Unmarshal(f.Bytes, l)
	if err != nil {
		return nil, err
	}
	for _, field := range root.Value("servers").Fields {
		s := l.Servers[field.Key.Text]
		s.At = field.Key.Span
		err := s.compactSchemas()
		if err != nil {
			return nil, err
		}
	}

	return l, nil
}

// compactSchemas removes the white space that the schemas have in the file.
func (s *Server) compactSchemas() error {
	for i := range s.Tools {
		t := &s.Tools[i]
		for _, schema := range []*json.RawMessage{&t.Input, &t.Output} {
			if *schema == nil {
				continue
			}
			text, err := CanonicalJSON(*schema)
			if err != nil {
				return err
			}
			*schema = text
		}
	}

	return nil
}

// IsIntact reports whether the tool is unchanged since it was sealed.
func (t Tool) IsIntact() bool { return t.Digest == t.computeDigest() }
