package gopkg

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ReadModule reads a go.mod, or a file of another name that -modfile can name, without the go command. Directives other than those of
// [Module] are left out, and so are mistakes in them, which the go command reports.
func ReadModule(file string) (*Module, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &Module{Dir: filepath.Dir(file)}
	block := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		m.add(words)
	}
	if m.Path == "" {
		return nil, fmt.Errorf("%s names no module", file)
	}

	return m, nil
}

// Mentions reports whether a module is this one, or one that its go.mod requires.
func (m *Module) Mentions(module string) bool {
	return m.Path == module || slices.ContainsFunc(m.Requires, func(r Requirement) bool { return r.Path == module })
}

// add adds what a directive of a go.mod says.
func (m *Module) add(words []string) {
	for i, word := range words {
		if text, err := strconv.Unquote(word); err == nil {
			words[i] = text
		}
	}
	switch {
	case len(words) == 2 && words[0] == "module":
		m.Path = words[1]
	case len(words) == 2 && words[0] == "tool":
		m.Tools = append(m.Tools, words[1])
	case len(words) == 3 && words[0] == "require":
		m.Requires = append(m.Requires, Requirement{words[1], words[2]})
	}
}
