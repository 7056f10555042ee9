package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// Need is something that a run needs.
type Need struct {
	// Kind is one of [kinds]; Name is the name of the thing.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// For are the agents or skills that need it, sorted.
	For []string `json:"for"`
	// From is the source of the thing, if it exists.
	From string `json:"from,omitempty"`
	// Unused is set if no run needs it while files answer for all models.
	Unused bool `json:"unused,omitempty"`
	// Unknown names what checks it, if preflight does not.
	Unknown string `json:"unknown,omitempty"`
	// Missing describes what is missing, or is "".
	Missing string `json:"missing,omitempty"`
	// Add is the line that adds it: to agentc.yaml with Config, else to the environment.
	Add    string `json:"add,omitempty"`
	Config bool   `json:"config,omitempty"`
	// Notes describe problems that do not prevent a run.
	Notes []string `json:"notes,omitempty"`

	// ignored is set if runs begin without it.
	ignored bool
}

// Machine describes where the program will run.
type Machine struct {
	// Vars are the variables that are set.
	Vars map[string]string
	// Writable reports why a folder, relative to the project, cannot be written. The folder may not
	// exist yet.
	Writable func(folder string) error
	// Readable reports why a file, relative to the working directory, cannot be read.
	Readable func(file string) error
	// Command reports why a command, with its arguments, cannot be started.
	Command func(argv []string) error
	// Dial reports why nothing answers at an address of this machine. If nil, addresses are not
	// tried.
	Dial func(host string) error
	// Method returns what implements a typed tool, Go or a script, or why nothing does; if both are
	// zero, it is not known. If nil, methods are not checked.
	Method func(name string) (from string, err error)
	// Ask starts or calls servers, and returns for each why a run would refuse it. If nil, servers
	// are not asked.
	Ask func(servers []*ir.Server) []error
	// Store returns the name of the store of runs, the setting that names it, and why it cannot be
	// used. If nil, the store is not checked.
	Store func() (name, from string, err error)
}

// isSet reports whether a variable has a value.
func (m Machine) isSet(name string) bool { return strings.TrimSpace(m.Vars[name]) != "" }

// Of returns the needs of runs that begin with some agents.
func Of(p *ir.Program, entries []*ir.Agent, m Machine) []Need {
	l := &list{program: p, machine: m, skills: map[*ir.Skill]bool{}}
	reached := ir.ReachableFrom(entries...)
	for _, a := range reached {
		for _, step := range a.Conversations() {
			l.addModel(step.Label(a.Name.Value), step.Call)
		}
	}
	l.addPrices(reached)
	l.isScripted = !slices.ContainsFunc(l.needs, func(n Need) bool { return n.Kind == "model" && !ir.IsFileModel(n.Name) })
	for _, a := range reached {
		for _, step := range a.Conversations() {
			l.collectSkills(step.Label(a.Name.Value), step)
		}
	}
	for _, skill := range l.used {
		l.addSkill(skill)
	}
	slices.SortStableFunc(l.named, func(a, b namedHost) int { return cmp.Compare(a.host, b.host) })
	for _, named := range l.named {
		l.addHost(named)
	}
	for _, a := range reached {
		for _, variable := range a.Env {
			l.addVariable(a.Name.Value, variable.Value)
		}
	}
	l.askServers()
	l.isScripted = false // the following needs do not depend on models
	if m.Store != nil {
		if name, from, err := m.Store(); name != "" {
			l.add(Need{Kind: "store", Name: name, From: from}.withProblem("it ", err), "the journals of runs")
		}
	}
	for _, name := range p.EnvVars() {
		if strings.Contains(p.Store.Value, "${"+name+"}") {
			l.addVariable("the store", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Vars)) {
		isRead := strings.HasPrefix(name, "TAMA_MODEL_") || strings.HasPrefix(name, "TAMA_PROVIDER_")
		if !strings.HasPrefix(name, "TAMA_") || isRead || !m.isSet(name) {
			continue
		}
		n := Need{Kind: "variable", Name: name, Missing: "it is set, and agentc does not read it", Add: "unset " + name, ignored: true}
		if name == "TAMA_ENTRYPOINT_AGENT" {
			n.Missing += ": choose the agent with --agent"
		}
		l.add(n, "the environment")
	}
	slices.SortStableFunc(l.needs, func(a, b Need) int { return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)) })

	return l.needs
}

// kinds are the kinds of needs, in the order of the list.
var kinds = []string{"model", "provider", "key", "address", "price", "variable", "tool", "host", "folder", "server", "method", "store"}

// unusedWithFiles are the kinds that no run needs while files answer for all models.
var unusedWithFiles = []string{"variable", "tool", "host", "folder", "server"}

// Missing returns the needs with something missing.
func Missing(needs []Need) []Need {
	return slices.DeleteFunc(slices.Clone(needs), func(n Need) bool { return n.Missing == "" })
}

// refusedKinds are the kinds of needs without which no run begins. The others matter only when a
// run uses them, and the engine asks servers itself.
var refusedKinds = []string{"model", "provider", "key", "price", "variable", "tool", "folder"}

// Refused returns the missing needs for which an engine refuses a run before it begins.
func Refused(needs []Need) []Need {
	return slices.DeleteFunc(Missing(needs), func(n Need) bool { return n.ignored || !slices.Contains(refusedKinds, n.Kind) })
}

type list struct {
	program *ir.Program
	machine Machine
	needs   []Need
	// isScripted is set if files answer for all models.
	isScripted bool
	// used are the skills that conversations can read, without duplicates. named are the hosts in
	// these and in prompts.
	used   []*ir.Skill
	skills map[*ir.Skill]bool
	named  []namedHost
	// servers are the servers that can be asked.
	servers []*ir.Server
}

// add adds a need, or the agent to an equal need.
func (l *list) add(n Need, by string) {
	if l.isScripted && n.From != alwaysThere && slices.Contains(unusedWithFiles, n.Kind) {
		n = Need{Kind: n.Kind, Name: n.Name, Unused: true}
	}
	i := slices.IndexFunc(l.needs, func(known Need) bool { return known.Kind == n.Kind && known.Name == n.Name })
	if i < 0 {
		i = len(l.needs)
		l.needs = append(l.needs, n)
	}
	if all := &l.needs[i].For; !slices.Contains(*all, by) {
		*all = append(*all, by)
		slices.Sort(*all)
	}
}

// addNote adds a note to a need, unless no run needs it.
func (l *list) addNote(kind, name, text string) {
	i := slices.IndexFunc(l.needs, func(n Need) bool { return n.Kind == kind && n.Name == name && !n.Unused })
	if i >= 0 && !slices.Contains(l.needs[i].Notes, text) {
		l.needs[i].Notes = append(l.needs[i].Notes, text)
	}
}

// withProblem returns the need as missing if err is not nil.
func (n Need) withProblem(problem string, err error) Need {
	if err != nil {
		n.From, n.Missing = "", problem+err.Error()
	}

	return n
}

func (l *list) addVariable(by, name string) {
	n := Need{Kind: "variable", Name: name, From: "the environment"}
	if !l.machine.isSet(name) {
		n.From, n.Missing, n.Add = "", "it is not set", "export "+name+"=..."
	}
	l.add(n, by)
}

// Text returns needs for a person.
func Text(needs []Need) string {
	var b strings.Builder
	for _, n := range needs {
		switch {
		case n.Unused:
			fmt.Fprintf(&b, "unused   %s %s: files answer for all models\n", n.Kind, n.Name)
		case n.Unknown != "":
			fmt.Fprintf(&b, "unknown  %s %s: not checked: %s\n", n.Kind, n.Name, n.Unknown)
		case n.Missing == "":
			fmt.Fprintf(&b, "ok       %s %s, from %s\n", n.Kind, n.Name, n.From)
		default:
			n.writeMissing(&b)
		}
		for _, note := range n.Notes {
			b.WriteString(words.Wrap("           note: ", "             ", note, width))
		}
	}

	return b.String()
}

// width is the width of a terminal.
const width = 80

// writeMissing writes what is missing, and the line that adds it.
func (n *Need) writeMissing(b *strings.Builder) {
	fmt.Fprintf(b, "missing  %s %s: %s\n", n.Kind, n.Name, strings.ReplaceAll(n.Missing, "\n", "\n           "))
	fmt.Fprintf(b, "           for %s\n", strings.Join(n.For, ", "))
	switch {
	case n.Config:
		fmt.Fprintf(b, "           add to agentc.yaml: %s\n", n.Add)
	case n.Add != "":
		fmt.Fprintf(b, "           add: %s\n", n.Add)
	}
}
