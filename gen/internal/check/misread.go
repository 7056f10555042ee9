package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// misread are the names in those files of agents and steps in which the front end found an error. What such a file names may
// be in use, though nothing that could be understood says so.
type misread struct {
	// files are the names in each file; in says in how many files a name stands.
	files map[*source.File]map[string]bool
	in    map[string]int
}

func (u *unit) misread() misread {
	m := misread{files: map[*source.File]map[string]bool{}, in: map[string]int{}}
	faulty := map[*source.File]bool{}
	for span := range u.faulty {
		faulty[span.File] = true
	}
	for _, a := range u.program.Agents {
		m.add(a.File, faulty)
		for _, step := range a.Conversations() {
			m.add(step.File, faulty)
		}
	}

	return m
}

func (m misread) add(f *source.File, faulty map[*source.File]bool) {
	if !faulty[f] || m.files[f] != nil {
		return
	}
	names := map[string]bool{}
	for _, name := range strings.FieldsFunc(string(f.Bytes), func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}) {
		if !names[name] {
			names[name] = true
			m.in[name]++
		}
	}
	m.files[f] = names
}

// elsewhere reports whether a name stands in another file than the one that it is the name of.
func (m misread) elsewhere(name string, own *source.File) bool {
	if m.files[own][name] {
		return m.in[name] > 1
	}

	return m.in[name] > 0
}
