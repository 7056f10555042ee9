package access

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

const (
	// leastToken is how many bytes a token has at least. Shorter ones can be guessed.
	leastToken = 16
	// mostName is how many bytes a name has at most.
	mostName = 256
)

// engineNames are what journals have instead of the name of a caller: of the reply of a fork, of a script and of a terminal.
var engineNames = []string{"fork", "script", "terminal"}

// holder is a token of a file: its hash, and what the holder may do.
type holder struct {
	hash  [sha256.Size]byte
	grant Grant
	// line is where it begins in the file, counted from 1, and last its last line.
	line, last int
}

// content is what a tokens file says.
type content struct {
	holders []holder
	// isFull reports whether it has the full form; items reports whether its tokens are the items
	// of a block sequence, which can be edited line by line.
	isFull, isBlock bool
	// key is the line of the key tokens, and indent the column of its items, counted from 0.
	key, indent int
}

// parseFile reads a tokens file of either form. Mistakes name the file where, and never show a token. Errors: *FileError.
func parseFile(where, text string) (*content, error) {
	if !utf8.ValidString(text) {
		return nil, &FileError{File: where, Problem: "it is not UTF-8"}
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	if !isFullForm(text) {
		return parseLines(where, text)
	}
	root, problem := readYAML(text)
	c := &content{isFull: true}
	if problem == nil {
		problem = c.decodeFullForm(root)
	}
	if problem != nil {
		return nil, &FileError{File: where, Line: problem.line, Problem: problem.text}
	}

	return c, nil
}

// isFullForm reports whether the first word is one that begins the full form.
func isFullForm(text string) bool {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "tokens:", `"tokens":`, "'tokens':", "---":
			return true
		}

		return strings.HasPrefix(words[0], "{")
	}

	return false
}

// parseLines reads words NAME=TOKEN, separated by spaces or line breaks; what follows # at the beginning of a line is
// for people.
func parseLines(where, text string) (*content, error) {
	c := &content{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			name, token, found := strings.Cut(word, "=")
			problem := "a line is NAME=TOKEN"
			if found && name != "" {
				problem = checkName(name)
			}
			if problem == "" && len(token) < leastToken {
				problem = fmt.Sprintf("the token of %s is shorter than %d bytes", name, leastToken)
			}
			if problem == "" {
				problem = c.addHolder(holder{hash: sha256.Sum256([]byte(token)), grant: Grant{Name: name}, line: number, last: number})
			}
			if problem != "" {
				return nil, &FileError{File: where, Line: number, Problem: problem}
			}
		}
	}
	if len(c.holders) == 0 {
		return nil, &FileError{File: where, Line: 1, Problem: "there is no NAME=TOKEN"}
	}

	return c, nil
}

// checkName returns what is wrong with a name of a caller.
func checkName(name string) (problem string) {
	switch {
	case name == "*":
		return "* means everyone in access rules and cannot be a name"
	case name == "":
		return "name is empty"
	case slices.Contains(engineNames, name):
		return fmt.Sprintf("%q cannot be a name: journals say it of answers that no caller has given", name)
	case len(name) > mostName:
		return fmt.Sprintf("a name has more than %d bytes", mostName)
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cf) }):
		return "a name contains a control character"
	case strings.TrimSpace(name) != name:
		return "a name begins or ends with a space"
	}

	return ""
}

// addHolder adds a token. Of the full form two tokens cannot have one name, so that it is clear which one is revoked.
func (c *content) addHolder(h holder) (problem string) {
	for i := range c.holders {
		if c.holders[i].hash == h.hash {
			return "two names have the same token"
		}
		if c.isFull && c.holders[i].grant.Name == h.grant.Name {
			return fmt.Sprintf("there are two tokens with the name %q", h.grant.Name)
		}
	}
	c.holders = append(c.holders, h)

	return ""
}

// decodeFullForm reads the full form.
func (c *content) decodeFullForm(root *node) *problem {
	if root.kind != mappingNode {
		return root.newProblem("the file has to be `tokens:` with a list")
	}
	var tokens *node
	for _, f := range root.fields {
		if f.key != "tokens" {
			return f.unknownFieldProblem("tokens")
		}
		tokens, c.key = f.value, f.line
	}
	switch {
	case tokens == nil || tokens.kind == emptyNode:
		return root.newProblem("tokens is missing; a file without any token is `tokens: []`")
	case tokens.kind != listNode:
		return tokens.newProblem("tokens has to be a list")
	}
	c.isBlock, c.indent = !tokens.isFlow, tokens.indent
	for _, item := range tokens.list {
		h, wrong := decodeHolder(item)
		if wrong != nil {
			return wrong
		}
		if text := c.addHolder(h); text != "" {
			return item.newProblem(text)
		}
	}

	return nil
}

// decodeHolder reads a token of the full form.
func decodeHolder(item *node) (h holder, wrong *problem) {
	if item.kind != mappingNode {
		return h, item.newProblem("a token has to be a mapping with name, sha256 and rights")
	}
	h.line, h.last = item.line, item.last
	given := map[string]bool{}
	for _, f := range item.fields {
		given[f.key] = true
		switch f.key {
		case "name":
			h.grant.Name, wrong = f.readScalar()
			if wrong == nil && checkName(h.grant.Name) != "" {
				wrong = f.value.newProblem(checkName(h.grant.Name))
			}
		case "sha256":
			h.hash, wrong = f.readHash()
		case "rights":
			h.grant.Rights, wrong = f.readRights()
		case "agents":
			h.grant.Agents, wrong = f.readTexts()
		case "questions":
			h.grant.Questions, wrong = f.readTexts()
		case "machines":
			h.grant.Machines, wrong = f.readTexts()
		default:
			wrong = f.unknownFieldProblem("name", "sha256", "rights", "agents", "questions", "machines")
		}
		if wrong != nil {
			return h, wrong
		}
	}
	for _, required := range []string{"name", "sha256", "rights"} {
		if !given[required] {
			return h, item.newProblem(required + " is missing")
		}
	}

	return h, nil
}

// readScalar returns the text of a field.
func (f field) readScalar() (string, *problem) {
	if f.value.kind != textNode {
		return "", f.value.newProblem(f.key + " has to be a text")
	}

	return f.value.text, nil
}

// readHash returns the hash of a token.
func (f field) readHash() (hash [sha256.Size]byte, wrong *problem) {
	text, wrong := f.readScalar()
	if wrong != nil {
		return hash, wrong
	}
	if read, err := hex.DecodeString(text); err != nil || len(read) != len(hash) {
		const form = "sha256 has to be the SHA-256 hash of the token, as %d hexadecimal digits; for the hash of a token: printf %%s TOKEN | sha256sum"
		return hash, f.value.newProblem(fmt.Sprintf(form, 2*len(hash)))
	} else {
		copy(hash[:], read)
	}

	return hash, nil
}

// readTexts returns the texts of a list.
func (f field) readTexts() (texts []string, wrong *problem) {
	if f.value.kind != listNode {
		return nil, f.value.newProblem(f.key + " has to be a list, such as [" + f.key[:len(f.key)-1] + "]")
	}
	for _, item := range f.value.list {
		if item.kind != textNode || item.text == "" {
			return nil, item.newProblem(f.key + " has to be a list of texts")
		}
		texts = append(texts, item.text)
	}

	return texts, nil
}

// readRights returns the rights of a list.
func (f field) readRights() (rights []Right, wrong *problem) {
	texts, wrong := f.readTexts()
	if wrong != nil {
		return nil, wrong
	}
	for i, text := range texts {
		if problem := checkRight(text); problem != "" {
			return nil, f.value.list[i].newProblem(problem)
		}
		rights = append(rights, Right(text))
	}

	return rights, nil
}

// checkRight returns what is wrong with the name of a right.
func checkRight(name string) (problem string) {
	var names []string
	for _, right := range Rights() {
		names = append(names, string(right))
		if name == string(right) {
			return ""
		}
	}

	return fmt.Sprintf("there is no right %q%s: rights are %s", name, nearest.DidYouMean(name, names), strings.Join(names, ", "))
}

// unknownFieldProblem is the problem of a field that is none of those that there are.
func (f field) unknownFieldProblem(names ...string) *problem {
	return &problem{f.line, fmt.Sprintf("unknown field %q%s: there are %s", f.key, nearest.DidYouMean(f.key, names), strings.Join(names, ", "))}
}
