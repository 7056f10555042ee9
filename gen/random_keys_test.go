package gen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// keyProject makes projects whose keys are right: machines in machines and flows, in which each state has rows for exactly the
// keys that come out of its agent, and prompts that name legal keys in all the ways in which people write them, between
// sentences about keys of other things.
type keyProject struct {
	*rand.Rand
	agents []*keyAgent
	keys   int
}

// keyAgent is an agent of a keyProject with what the generator knows about it.
type keyAgent struct {
	name, head string
	// known are the keys with which it finishes, adapts says that it can with any other one too, and limited that it has a row
	// for its limit where one is.
	known   []string
	adapts  bool
	limited bool
	// prompts are its files with prompts of react loops; what they may name are the keys, and the rows where it stands.
	prompts []string
	files   map[string]string
	legal   []string
	// rows are the lines of its states; of each the key, where it has one.
	rows []keyRow
}

type keyRow struct {
	line, key string
	// closed says that the agent of the row's state does not adapt.
	closed bool
}

func newKeyProject(seed uint64) *keyProject {
	p := &keyProject{Rand: rand.New(rand.NewPCG(seed, 4))}
	for range 3 + p.IntN(4) {
		p.addConversation()
	}
	for range 3 + p.IntN(4) {
		if p.IntN(3) == 0 {
			p.addFlow()
		} else {
			p.addMachine()
		}
	}

	return p
}

// newKey returns a key that nothing else in the project has, nor anything near it.
func (p *keyProject) newKey() string {
	p.keys++
	words := []string{"approved", "needs-work", "billing", "Route 66", "weiter", "zurück", "escalate", "too_long", "ok", "hopeless"}

	return words[p.keys%len(words)] + []string{"", "-umbrella", "-xylophone", "-quartz", "-marmalade", "-volcano"}[p.keys/len(words)%6]
}

func (p *keyProject) newKeys(n int) []string {
	var list []string
	for range n {
		list = append(list, p.newKey())
	}

	return list
}

func (p *keyProject) add(kind, pattern string) *keyAgent {
	a := &keyAgent{name: fmt.Sprintf("%s-%d", kind, len(p.agents)), files: map[string]string{}}
	a.head = "name: " + a.name + "\ndescription: Does its part.\nversion: \"1.0.0\"\npattern: " + pattern + "\n"
	p.agents = append(p.agents, a)

	return a
}

func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = fmt.Sprintf("%q", text)
	}

	return "[" + strings.Join(quoted, ", ") + "]"
}

func (p *keyProject) addConversation() *keyAgent {
	if p.IntN(4) == 0 {
		a := p.add("once", "oneshot")
		a.known, a.files["AGENT.md"] = []string{"done"}, "Do it.\n"
		return a
	}
	a := p.add("loop", "react")
	a.prompts = []string{"AGENT.md"}
	if p.IntN(2) == 0 {
		a.adapts = true
		return a
	}
	a.known = p.newKeys(1 + p.IntN(3))
	a.legal = a.known
	a.head += "keys: " + quotedList(a.known) + "\n"

	return a
}

func (p *keyProject) addFlow() {
	worker := p.agents[p.IntN(len(p.agents))].name
	switch p.IntN(5) {
	case 0:
		a := p.add("both", "parallel")
		a.known = []string{"done"}
		a.head += "workers: [" + worker + "]\n"
	case 1:
		a := p.add("solve", "reflexion")
		a.known, a.limited = []string{"done"}, true
		a.files["act.md"], a.files["reflect.md"] = "Do it.\n", "Say DONE or what is wrong.\n"
	case 2:
		a := p.add("ask", "human")
		a.known = p.newKeys(2)
		a.legal, a.prompts = a.known, []string{"resume.md"}
		a.head += "keys: " + quotedList(a.known) + "\n"
		a.files["AGENT.md"] = "Call finish(key=\"whoever-is-there\", value=<the question>).\n"
	case 3:
		a := p.add("survey", "scatter")
		a.known, a.adapts, a.prompts = []string{"done"}, true, []string{"AGENT.md"}
		a.legal = []string{"parallel"}
		a.head += "worker: " + worker + "\n"
		a.files["reduce.md"] = "Sum up.\n"
	default:
		judge := p.addConversation()
		a := p.add("debate", "debate")
		a.known, a.adapts = judge.known, judge.adapts
		a.head += "agents: [" + worker + "]\njudge: " + judge.name + "\n"
	}
}

// addMachine makes a machine of agents so far. The first row of each state leads to the next one.
func (p *keyProject) addMachine() {
	m := p.add("machine", "fsm")
	inside := slices.Clone(p.agents[:len(p.agents)-1])
	p.Shuffle(len(inside), func(i, j int) { inside[i], inside[j] = inside[j], inside[i] })
	inside = inside[:1+p.IntN(len(inside))]
	m.head += "initial: " + inside[0].name + "\nstates:\n"
	out := map[string]bool{}
	for i, a := range inside {
		next := "the-end"
		if i+1 < len(inside) {
			next = inside[i+1].name
		}
		switch {
		case i+1 == len(inside) && p.IntN(3) == 0:
			m.head += "  " + a.name + ": ~\n"
			p.passOn(m, a, out, nil)
		case p.IntN(4) == 0:
			m.head += "  " + a.name + ": " + next + "\n"
			if next == "the-end" {
				p.passOn(m, a, out, nil)
			}
		default:
			p.addRows(m, a, out, next)
		}
	}
	if strings.Contains(m.head, ": the-end\n") {
		m.head += "  the-end: ~\n"
	}
	m.known = slices.Sorted(maps.Keys(out))
}

// passOn makes the keys of a those of m, but for those that are routed.
func (p *keyProject) passOn(m, a *keyAgent, out map[string]bool, routed []string) {
	for _, key := range a.known {
		if !slices.Contains(routed, key) {
			out[key] = true
		}
	}
	m.adapts = m.adapts || a.adapts
	m.limited = m.limited || a.limited && !slices.Contains(routed, "exhausted")
}

// addRows adds a state with rows for what comes out of a: for all of it, or for a part and a catch-all.
func (p *keyProject) addRows(m, a *keyAgent, out map[string]bool, next string) {
	rows := slices.Clone(a.known)
	if a.adapts {
		rows = append(rows, p.newKeys(1+p.IntN(3))...)
	}
	if a.limited && p.IntN(2) == 0 {
		rows = append(rows, "exhausted")
	}
	if len(rows) == 0 { // a machine that never says more than that its limit is reached
		rows = append(rows, "*")
	}
	rest := rows
	if len(a.known) > 1 && p.IntN(3) == 0 {
		rest = slices.DeleteFunc(slices.Clone(rows), func(key string) bool { return key == a.known[0] })
		rest = append(rest, "*")
	}
	m.head += "  " + a.name + ":\n"
	for j, key := range rest {
		target := next
		if j > 0 {
			target = []string{"~", a.name, next}[p.IntN(3)]
		}
		line := fmt.Sprintf("    - %q: %s\n", key, target)
		m.head += line
		m.rows = append(m.rows, keyRow{line: line, key: key, closed: !a.adapts && slices.Contains(a.known, key) && !slices.Contains(rest, "*")})
		leaves := target == "~" || target == "the-end"
		switch {
		case key == "*" && leaves:
			p.passOn(m, a, out, rest)
		case key != "*":
			a.legal = append(a.legal, key)
			if leaves {
				out[key] = true
			}
		}
	}
}

// phrases are ways to name a key to finish with; %s is the key.
var phrases = []string{
	"Call finish(key=\"%s\", value=<the text>).",
	"Call `finish(key='%s', value=\"…\")` then.",
	"Finish with key \"%s\".",
	"When it is so,\ncall finish with the text as the value and key `%s`.",
	"Call finish with {\"key\": \"%s\", \"value\": \"…\"}.",
	"Finish with `%s` as the key.",
	"Finish with one of these keys:\n\n- `%s`: it is so\n\nAnd so on.",
	"In doubt the key is `%s`. Finish then.",
}

// noise is about keys of other things, and what is to be left alone.
var noise = []string{
	"Read memory key `retries` first.",
	"Store the report under key \"report\", then finish.",
	"Call `finish(key=\"<category>\", value=<the text>)`.",
	"Never call finish(key=\"rejected-by-nobody\").",
	"Finish with key findings and sources.",
	"Press key `q` to end it.",
	"The writer calls finish(key=\"written\") before you.",
	"The value may be a JSON object with the keys `title` and `body`. Finish with it.",
	"Call finish with a list of settings: [{\"key\": \"theme\", \"value\": \"dark\"}]",
}

// prompt writes a prompt that names all legal keys or none, and of what else there is.
func (p *keyProject) prompt(a *keyAgent) string {
	lines := []string{"Do your part, and call finish."}
	for range p.IntN(3) {
		lines = append(lines, noise[p.IntN(len(noise))])
	}
	if p.IntN(2) == 0 {
		for _, key := range a.legal {
			lines = append(lines, fmt.Sprintf(phrases[p.IntN(len(phrases))], key))
		}
	}
	p.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })

	return strings.Join(lines, []string{"\n", " ", "\n\n"}[p.IntN(3)]) + "\n"
}

func (p *keyProject) project() fstest.MapFS {
	files := fstest.MapFS{}
	for _, a := range p.agents {
		for _, name := range a.prompts {
			if a.files[name] == "" {
				a.files[name] = p.prompt(a)
			}
		}
		for name, text := range a.files {
			if name != "AGENT.md" {
				files["agents/"+a.name+"/"+name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		files["agents/"+a.name+"/AGENT.md"] = &fstest.MapFile{Data: []byte("---\n" + a.head + "---\n\n" + a.files["AGENT.md"])}
	}

	return files
}

// keyProjects returns how many projects with random keys a test makes.
func keyProjects(isShort bool) uint64 {
	if isShort {
		return 60
	}

	return 300
}

// TestRandomRightKeys: nothing is said about keys that are right.
func TestRandomRightKeys(t *testing.T) {
	for seed := range keyProjects(testing.Short()) {
		result := compileFS(t, newKeyProject(seed).project())
		if len(result.Diagnostics) > 0 {
			t.Fatalf("seed %d:\n%s", seed, casetest.Text(t, result.Diagnostics))
		}
	}
}

// TestRandomWrongKeys: a key that is wrong is found, in its line.
func TestRandomWrongKeys(t *testing.T) {
	tried, projects := map[string]int{}, keyProjects(testing.Short())
	for seed := range projects {
		p := newKeyProject(seed)
		files := p.project()
		for _, a := range p.agents {
			for i, row := range a.rows {
				if !row.closed || i%3 > 0 {
					continue
				}
				damages := map[string]string{
					"a row for a key that never comes": row.line + strings.Replace(row.line, row.key, "never-to-come", 1),
					"a row less":                       "",
				}
				for kind, line := range damages {
					tried[kind]++
					file := "agents/" + a.name + "/AGENT.md"
					if !foundIn(t, files, file, strings.Replace(string(files[file].Data), row.line, line, 1), "") {
						t.Errorf("seed %d, %s at %s: not found", seed, kind, row.line)
					}
				}
			}
			for _, name := range a.prompts {
				if a.adapts {
					continue
				}
				tried["a prompt that names another key"]++
				file := "agents/" + a.name + "/" + name
				text := string(files[file].Data) + fmt.Sprintf(phrases[p.IntN(6)], "never-to-come") + "\n"
				if !foundIn(t, files, file, text, "prompt-key") {
					t.Errorf("seed %d, in %s: not found\n%s", seed, file, text)
				}
			}
		}
	}
	for kind, n := range tried {
		if n < int(projects/3) {
			t.Errorf("%s was tried %d times: the test says little", kind, n)
		}
	}
}

// foundIn reports whether something is found when a file has another text: by the check of that name, if one is given.
func foundIn(t *testing.T, files fstest.MapFS, file, text, check string) bool {
	t.Helper()
	changed := maps.Clone(files)
	changed[file] = &fstest.MapFile{Data: []byte(text)}
	result, err := gen.Compile(t.Context(), gen.Options{FS: changed, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		if check == "" || d.Check.Name == check {
			return true
		}
	}

	return false
}
