package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// DefaultFile is the tokens file of commands to which none is named, if it exists, relative to the folder of the project, or to
// the working directory without one.
const DefaultFile = ".agentc/tokens.yaml"

// largestFile is how many bytes a tokens file has at most.
const largestFile = 1 << 20

// Tokens are the holders of tokens that a file names, or a text. They are safe for concurrent use.
type Tokens struct {
	// path is "" for tokens of a text, which do not change.
	path   string
	report func(error)

	mu      sync.Mutex
	content *content
	// read is the file as it was when it was read, or found to be unusable; nil if it was not there then.
	read fs.FileInfo
	// operators are the names that AddOperators was given.
	operators []string
}

// Open reads a tokens file. It is read again when it has changed, so that a token that is revoked is refused from then
// on. If it cannot be used any more, the last tokens that could be read stay in force, and report receives the problem.
// Errors: *FileError; those of the operating system.
func Open(path string, report func(error)) (*Tokens, error) {
	t := &Tokens{path: path, report: report}
	var err error
	t.read, err = os.Stat(path)
	if err != nil {
		return nil, err
	}
	t.content, err = readFile(path)
	if err != nil {
		return nil, err
	}

	return t, nil
}

// Parse reads a text in one of the forms of a tokens file; where names it in errors. Errors: *FileError.
func Parse(where, text string) (*Tokens, error) {
	c, err := parseFile(where, text)
	if err != nil {
		return nil, err
	}

	return &Tokens{content: c}, nil
}

// readFile reads a tokens file that only its owner can have written.
func readFile(path string) (*content, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if problem := checkOwner(info); problem != "" {
		return nil, &FileError{File: path, Problem: problem}
	}
	text, err := io.ReadAll(io.LimitReader(file, largestFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largestFile {
		return nil, &FileError{File: path, Problem: "it has more than 1 MiB"}
	}

	return parseFile(path, string(text))
}

// rereadIfChanged reads the file again if it has changed.
func (t *Tokens) rereadIfChanged() {
	if t.path == "" {
		return
	}
	now, err := os.Stat(t.path)
	if isSameFile(t.read, now) {
		return
	}
	t.read = now
	var c *content
	if err == nil {
		c, err = readFile(t.path)
	}
	switch {
	case err == nil:
		t.content = c
	case t.report != nil:
		t.report(err)
	}
}

// isSameFile reports whether two looks at a file have seen the same content; nil is a file that is not there.
func isSameFile(before, now fs.FileInfo) bool {
	if before == nil || now == nil {
		return before == nil && now == nil
	}

	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime()) && before.Mode() == now.Mode()
}

// Lookup returns what the holder of a token may do. All tokens are compared, each in constant time by its hash.
func (t *Tokens) Lookup(token string) (g Grant, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rereadIfChanged()
	hash := sha256.Sum256([]byte(token))
	at := -1
	for i := range t.content.holders {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(t.content.holders[i].hash[:], hash[:]), i, at)
	}
	if at < 0 {
		return Grant{}, false
	}

	return t.withOperators(t.content.holders[at].grant), true
}

// Grants returns what the holders of all tokens may do, in the order of the file.
func (t *Tokens) Grants() []Grant {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rereadIfChanged()
	grants := make([]Grant, len(t.content.holders))
	for i := range t.content.holders {
		grants[i] = t.withOperators(t.content.holders[i].grant)
	}

	return grants
}

// AddOperators gives the rights Read and Answer to the holders of tokens with these names. Of tokens in lines
// NAME=TOKEN, which have all rights, those of other names lose Read and Admin: their holders see the runs that they have
// started. Errors: *FileError for a name that no token has.
func (t *Tokens) AddOperators(names ...string) error {
	grants := t.Grants()
	for _, name := range names {
		if !slices.ContainsFunc(grants, func(g Grant) bool { return g.Name == name }) {
			return &FileError{File: t.path, Problem: "no token has the name " + name}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.operators = append(t.operators, names...)

	return nil
}

// withOperators returns a grant as AddOperators changes it.
func (t *Tokens) withOperators(g Grant) Grant {
	isOperator := slices.Contains(t.operators, g.Name)
	switch {
	case len(t.operators) == 0:
	case !t.content.isFull && !isOperator:
		g.Rights = []Right{Start, Answer, Cancel, Fire}
	case isOperator && len(g.Rights) > 0:
		g.Rights = append(slices.Clone(g.Rights), Read, Answer)
	}

	return g
}

// Exists reports whether there is something at the path of a tokens file, even if it cannot be read.
func Exists(path string) bool {
	_, err := os.Lstat(path)

	return !errors.Is(err, fs.ErrNotExist)
}
