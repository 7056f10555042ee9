package gopkg

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ReadModule reads a go.mod, or another file for the flag -modfile, without the go command. It
// ignores directives that [Module] does not hold, and mistakes in them, because the go command
// reports those.
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
		m.addDirective(words)
	}
	if m.Path == "" {
		return nil, fmt.Errorf("%s names no module", file)
	}

	return m, nil
}

// Mentions reports whether module is this module or one of its requirements.
func (m *Module) Mentions(module string) bool {
	return m.Path == module || slices.ContainsFunc(m.Requires, func(r Requirement) bool { return r.Path == module })
}

// addDirective adds the content of a directive of a go.mod.
func (m *Module) addDirective(words []string) {
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
