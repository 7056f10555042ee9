package preflight_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
)

func text(s string) ir.Text { return ir.Text{Value: s} }

// machine is a place where only some variables are set.
func machine(set ...string) preflight.Machine {
	vars := map[string]string{}
	for _, line := range set {
		name, value, _ := strings.Cut(line, "=")
		vars[name] = value
	}

	return preflight.Machine{
		Vars:     vars,
		Writable: func(string) error { return nil },
		Readable: func(file string) error {
			if file == "run.jsonl" {
				return nil
			}
			return errors.New("it is not there")
		},
		Command: func([]string) error { return errors.New("it is not there") },
	}
}

// program has an agent that asks a role, with a server that it uses.
func program() *ir.Program {
	server := &ir.Server{Name: text("notes"), Command: []string{"notes-server"}, Env: []string{"NOTES_TOKEN"}, Protocol: "2025-06-18"}
	skill := &ir.Skill{Name: text("notes"), Tools: []ir.ToolRef{{Text: text("add_note"), Tool: &ir.Tool{Name: text("add_note"), Server: server}}}}
	a := &ir.Agent{
		Name: text("writer"), Call: ir.Call{Role: text("thinker")},
		Node: &ir.React{Uses: []ir.SkillRef{{Text: text("notes"), Skill: skill}}},
	}

	return &ir.Program{Agents: []*ir.Agent{a}, Entry: a}
}

// TestNeeds: what is needed of the environment, and where models come from.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		what    string
		change  func(*ir.Program)
		set     []string
		missing string
		from    string
	}{
		{what: "nothing is set", missing: "model role thinker, variable NOTES_TOKEN, server notes"},
		{
			what: "the older variable of a role", set: []string{"TAMA_MODEL_THINKER=openai:gpt-4o", "OPENAI_API_KEY=x", "NOTES_TOKEN=x"},
			missing: "provider openai, server notes", from: "TAMA_MODEL_THINKER",
		},
		{
			what: "default lends its model", set: []string{"AGENTC_MODEL_DEFAULT_NAME=anthropic:c", "NOTES_TOKEN= "},
			missing: "provider anthropic, key anthropic, variable NOTES_TOKEN, server notes", from: "AGENTC_MODEL_DEFAULT_NAME",
		},
		{
			what: "a server of its own needs no key", set: []string{"AGENTC_MODEL_DEFAULT_NAME=openai:m", "OPENAI_BASE_URL=http://127.0.0.1:1", "NOTES_TOKEN=x"},
			missing: "provider openai, server notes", from: "AGENTC_MODEL_DEFAULT_NAME",
		},
		{
			what: "the key of the role", set: []string{"AGENTC_MODEL_THINKER_API_KEY=x", "NOTES_TOKEN=x"},
			change: func(p *ir.Program) {
				p.Models = []*ir.Model{{Role: text("default"), Name: text("gemini:flash")}}
			},
			missing: "server notes", from: "models.default",
		},
		{
			what: "another provider, and a variable that is not read", set: []string{"NOTES_TOKEN=x", "TAMA_ENTRYPOINT_AGENT=b", "TAMA_TRACE=1", "TAMA_PROVIDER_ACME_API_KEY=x"},
			change: func(p *ir.Program) {
				p.Models = []*ir.Model{{Role: text("thinker"), Name: text("acme:m")}}
			},
			missing: "variable TAMA_ENTRYPOINT_AGENT, variable TAMA_TRACE, server notes", from: "models.thinker",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := program()
			if c.change != nil {
				c.change(p)
			}
			needs := preflight.Of(p, []*ir.Agent{p.Entry}, machine(c.set...))
			var missing []string
			for _, n := range preflight.Missing(needs) {
				missing = append(missing, n.Kind+" "+n.Name)
			}
			if got := strings.Join(missing, ", "); got != c.missing {
				t.Errorf("missing is %q, want %q", got, c.missing)
			}
			for _, n := range preflight.Refused(needs) {
				if n.Missing == "" || n.Kind == "server" || strings.HasPrefix(n.Name, "TAMA_") {
					t.Errorf("runs are refused because of %s %s", n.Kind, n.Name)
				}
			}
			if needs[0].Kind != "model" || needs[0].From != c.from {
				t.Errorf("the model is %+v", needs[0])
			}
		})
	}
}

// TestReach: what skills and prompts reach, what a run refuses, and what it does not need while
// files answer for all models.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		what, missing, add string
		change             func(*ir.Program, *preflight.Machine)
	}{
		{what: "nothing", change: func(*ir.Program, *preflight.Machine) {}},
		{
			what: "a host of the prompt and one of the skill", missing: "host a.org:8443, host b.org", add: "a.org:8443, in the list http.allow",
			change: func(p *ir.Program, _ *preflight.Machine) { p.Reach.Hosts = []ir.Text{text("c.org")} },
		},
		{
			what: "http is off", missing: "tool http_get", add: "http: {allow: [a.org:8443, b.org]}",
			change: func(p *ir.Program, _ *preflight.Machine) { p.Reach.Hosts = nil },
		},
		{
			what: "no host is named", missing: "tool http_get", add: "http: {allow: [HOST]} to agentc.yaml, with each host that may be called",
			change: func(p *ir.Program, _ *preflight.Machine) {
				p.Reach.Hosts, p.Agents[0].Prompt = nil, text("Look it up.")
				p.Agents[0].Node.(*ir.React).Uses[1].Skill.Body = text("Call http_get with http://HOST/, as in http://host/x.")
			},
		},
		{
			what: "a host of this machine, with its port", missing: "host localhost:18090", add: "localhost:18090, in the list http.allow",
			change: func(p *ir.Program, _ *preflight.Machine) {
				p.Agents[0].Prompt = text("See http://localhost:18090/x and http://127.0.0.1:8080.")
				p.Reach.Hosts = []ir.Text{text("localhost"), text("b.org"), text("127.0.0.1:*")}
			},
		},
		{
			what: "ports", missing: "host a.org:8443", add: "a.org:8443, in the list http.allow",
			change: func(p *ir.Program, _ *preflight.Machine) {
				p.Agents[0].Prompt = text("See https://a.org:8443 and https://a.org:443, http://c.org and http://d.org:80/.")
				p.Reach.Hosts = []ir.Text{text("a.org"), text("b.org:443"), text("c.org:80"), text("d.org:*")}
			},
		},
		{
			what: "no server answers at an address of this machine", missing: "address 127.0.0.1:9",
			change: func(_ *ir.Program, m *preflight.Machine) {
				m.Vars = machine("AGENTC_MODEL_THINKER_BASE_URL=http://127.0.0.1:9/v1", "NOTES_TOKEN=x").Vars
				m.Dial = func(host string) error { return errors.New(host + " refuses") }
			},
		},
		{
			what: "no server answers at the built-in address of a provider on this machine", missing: "address localhost:11434",
			change: func(_ *ir.Program, m *preflight.Machine) {
				m.Dial = func(host string) error { return errors.New(host + " refuses") }
			},
		},
		{
			what: "the built-in address of a provider elsewhere is not tried",
			change: func(p *ir.Program, m *preflight.Machine) {
				p.Models[0].Name, m.Vars["GEMINI_API_KEY"] = text("google:g"), "x"
				m.Dial = func(string) error { panic("it is tried") }
			},
		},
		{
			what: "commands are off, which is for the author to change by hand", missing: "tool bash",
			add: "shell: true to agentc.yaml by hand, if the model may run any command",
			change: func(p *ir.Program, _ *preflight.Machine) {
				skill := p.Agents[0].Node.(*ir.React).Uses[1].Skill
				skill.Tools = append(skill.Tools, ir.ToolRef{Text: text("bash"), Builtin: "bash"})
				p.Reach.Root = text("./work")
			},
		},
		{
			what: "an address elsewhere is not tried",
			change: func(_ *ir.Program, m *preflight.Machine) {
				m.Vars = machine("AGENTC_PROVIDER_OLLAMA_BASE_URL=http://models.example.org/v1", "NOTES_TOKEN=x").Vars
				m.Dial = func(string) error { panic("it is tried") }
			},
		},
		{
			what: "a server refuses", missing: "server notes",
			change: func(_ *ir.Program, m *preflight.Machine) {
				m.Ask = func(servers []*ir.Server) []error { return []error{errors.New(servers[0].Name.Value + " is new")} }
			},
		},
		{
			what: "the store refuses", missing: "store db",
			change: func(_ *ir.Program, m *preflight.Machine) {
				m.Store = func() (string, string, error) { return "db", "agentc.yaml", errors.New("is full") }
			},
		},
		{
			what: "a variable of a header", missing: "variable HEADER", add: "export HEADER=...",
			change: func(p *ir.Program, _ *preflight.Machine) {
				s := p.Agents[0].Node.(*ir.React).Uses[0].Skill.Tools[0].Tool.Server
				s.Command, s.URL, s.Headers = nil, "https://notes.example.org", []ir.Header{{Name: "Authorization", Value: "Bearer ${HEADER}"}}
			},
		},
		{
			what: "the key of a fallback", missing: "key anthropic", add: "export ANTHROPIC_API_KEY=...",
			change: func(p *ir.Program, _ *preflight.Machine) { p.Models[0].Fallback = []ir.Text{text("anthropic:c")} },
		},
		{
			what: "a budget without prices", missing: "price ollama:m", add: `"ollama:m": {input: DOLLARS, output: DOLLARS} to prices.yaml`,
			change: func(p *ir.Program, _ *preflight.Machine) { p.Budget = &ir.Budget{USD: 1} },
		},
		{
			what: "a budget of the agent, with a price",
			change: func(p *ir.Program, _ *preflight.Machine) {
				p.Agents[0].Budget = &ir.Budget{USD: 1}
				p.Prices = &ir.Prices{Models: []*ir.ModelPrice{{Name: text("ollama:*")}}}
			},
		},
		{
			what: "a provider that only a variable names", missing: "provider acme", add: "providers: {acme: {base_url: ADDRESS}} to agentc.yaml",
			change: set("AGENTC_MODEL_DEFAULT_NAME=acme:m"),
		},
		{
			what: "a variable that is not read", missing: "key google",
			change: func(p *ir.Program, m *preflight.Machine) {
				p.Models[0].Name = text("google:g")
				m.Vars = machine("GOOGLE_BASE_URL=http://127.0.0.1:1", "NOTES_TOKEN=x").Vars
			},
		},
		{
			what: "the address of a role",
			change: func(p *ir.Program, m *preflight.Machine) {
				p.Models[0].Name = text("google:g")
				m.Vars = machine("AGENTC_MODEL_THINKER_BASE_URL=http://127.0.0.1:1", "NOTES_TOKEN=x").Vars
			},
		},
		{what: "a variable that is not a model", missing: "model gpt", change: set("AGENTC_MODEL_DEFAULT_NAME=gpt")},
		{what: "a script that is not compiled in", missing: "model script:other.yaml", change: set("AGENTC_MODEL_DEFAULT_NAME=script:other.yaml")},
		{what: "a recording", missing: "", change: set("AGENTC_MODEL_DEFAULT_NAME=replay:run.jsonl")},
		{what: "no recording", missing: "model replay:gone.jsonl", change: set("AGENTC_MODEL_DEFAULT_NAME=replay:gone.jsonl")},
		{
			what: "files answer", change: func(p *ir.Program, m *preflight.Machine) {
				p.Models[0].Name, p.Reach.Hosts = text("script:s.yaml"), nil
				m.Vars = nil
				m.Ask = func([]*ir.Server) []error { panic("a server is started") }
			},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			p, m := program(), machine("NOTES_TOKEN=x")
			p.HasModels, p.Models = true, []*ir.Model{{Role: text("default"), Name: text("ollama:m")}}
			p.Reach.Hosts = []ir.Text{text("*.org"), text("a.org:8443"), text("b.org")}
			a := p.Agents[0]
			a.Prompt = text("See https://a.org:8443/x and https://www.example.com.")
			a.Node.(*ir.React).Uses = append(a.Node.(*ir.React).Uses, ir.SkillRef{Text: text("web"), Skill: &ir.Skill{
				Name: text("web"), Body: text("Call http_get with https://b.org/."), Tools: []ir.ToolRef{{Text: text("http_get"), Builtin: "http_get"}},
			}})
			m.Command = func([]string) error { return nil }
			c.change(p, &m)
			var missing, lines []string
			for _, n := range preflight.Missing(preflight.Of(p, []*ir.Agent{p.Entry}, m)) {
				missing, lines = append(missing, n.Kind+" "+n.Name), append(lines, n.Add)
			}
			if got := strings.Join(missing, ", "); got != c.missing || c.add != "" && lines[0] != c.add {
				t.Errorf("missing is %q with %q, want %q with %q", got, lines, c.missing, c.add)
			}
		})
	}
}

// TestMethods: a method is there only if something says so.
func TestMethods(t *testing.T) {
	p, m := program(), machine("NOTES_TOKEN=x")
	p.Models = []*ir.Model{{Role: text("default"), Name: text("script:s.yaml")}}
	p.Agents[0].Node.(*ir.React).Uses[0].Skill.Tools = []ir.ToolRef{{Text: text("find"), Tool: &ir.Tool{Name: text("find")}}}
	for _, c := range []struct {
		from, want string
		err        error
	}{
		{want: "unknown  method find: not checked: go build does\n"},
		{from: "a script", want: "ok       method find, from a script\n"},
		{err: errors.New("no Go has it"), want: "missing  method find: no Go has it\n           for skill notes\n"},
	} {
		m.Method = func(string) (string, error) { return c.from, c.err }
		needs := preflight.Of(p, []*ir.Agent{p.Entry}, m)
		if got := preflight.Text(needs); !strings.HasSuffix(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if got := len(preflight.Missing(needs)) > 0; got != (c.err != nil) {
			t.Errorf("%s counts as missing: %v", c.want, got)
		}
	}
}

// set has the machine say something of a variable.
func set(line string) func(*ir.Program, *preflight.Machine) {
	return func(_ *ir.Program, m *preflight.Machine) { m.Vars = machine(line, "NOTES_TOKEN=x").Vars }
}

// TestFixed: a line is added once, to the mapping or the list that is there, and not where the
// author has said otherwise.
func TestFixed(t *testing.T) {
	for _, c := range []struct {
		config string
		adds   []string
		want   string
		added  int
	}{
		{"entrypoint: a", []string{"shell: true", "files: {root: ./w}", "shell: true"}, "entrypoint: a\nshell: true\nfiles: {root: ./w}\n", 2},
		{"shell: false\n", []string{"shell: true"}, "shell: false\n", 0},
		{"providers: {openai: {}} # ours\n", []string{"providers: {ollama: {}}"}, "providers: {openai: {}, ollama: {}} # ours\n", 1},
		{"providers: {}\na: 1\n", []string{"providers: {ollama: {}}"}, "providers: {ollama: {}}\na: 1\n", 1},
		{"http:\n   max_bytes: 1MiB\n", []string{"http: {allow: [a.org]}"}, "http:\n   allow: [a.org]\n   max_bytes: 1MiB\n", 1},
		{"http: ~\n", []string{"http: {allow: [a.org]}"}, "http: ~\n", 0},
		{"http: {allow: [a.org], max_bytes: 1}\n", []string{"host b.org"}, "http: {allow: [a.org, b.org], max_bytes: 1}\n", 1},
		{"http:\n  allow:\n  - a.org\nshell: true\n", []string{"host b.org"}, "http:\n  allow:\n  - b.org\n  - a.org\nshell: true\n", 1},
		{"http:\n  allow: [\n    a.org,\n  ]\n", []string{"host b.org"}, "http:\n  allow: [\n    a.org, b.org]\n", 1},
		{"http: &x {}\n", []string{"host b.org"}, "http: &x {}\n", 0},
		{"http:\n  # none yet\n  allow: []\n", []string{"http: {allow: [a.org]}"}, "http:\n  # none yet\n  allow: []\n", 0},
		{"http:\n  allow: [a.org, # ours\n  ]\n", []string{"host b.org"}, "http:\n  allow: [a.org, # ours\n  ]\n", 0},
	} {
		needs := []preflight.Need{
			{Kind: "model", Missing: "x", Add: "models: {}", Config: true}, {Kind: "variable", Missing: "x", Add: "export X=..."},
		}
		for _, add := range c.adds {
			host, isHost := strings.CutPrefix(add, "host ")
			n := preflight.Need{Kind: "tool", Missing: "x", Add: add, Config: true}
			if isHost {
				n.Kind, n.Name = "host", host
			}
			needs = append(needs, n)
		}
		if got, added := preflight.AddMissing(c.config, needs); got != c.want || len(added) != c.added {
			t.Errorf("%q with %q: got %q and %q", c.config, c.adds, got, added)
		}
	}
}

// TestNotes: what a skill opens that it does not name is said, unless every host is allowed or no
// tool runs.
func TestNotes(t *testing.T) {
	const reads = "Search https://s.org. Then call http_get on that URL to read the page."
	for _, c := range []struct {
		body  string
		hosts []ir.Text
		model string
		want  bool
	}{
		{body: reads, hosts: []ir.Text{text("s.org")}, model: "ollama:m", want: true},
		{body: reads, model: "ollama:m", want: true},
		{body: "Open the links of the results of https://s.org.", hosts: []ir.Text{text("s.org")}, model: "ollama:m", want: true},
		{body: "Call https://s.org with the words.", hosts: []ir.Text{text("s.org")}, model: "ollama:m"},
		{body: reads, hosts: []ir.Text{text("*")}, model: "ollama:m"},
		{body: reads, hosts: []ir.Text{text("s.org")}, model: "script:s.yaml"},
	} {
		p := program()
		p.Models, p.Reach.Hosts = []*ir.Model{{Role: text("thinker"), Name: text(c.model)}}, c.hosts
		p.Agents[0].Node.(*ir.React).Uses[0].Skill = &ir.Skill{
			Name: text("web"), Body: text(c.body), Tools: []ir.ToolRef{{Text: text("http_get"), Builtin: "http_get"}},
		}
		said := preflight.Text(preflight.Of(p, []*ir.Agent{p.Entry}, machine()))
		if got := strings.Contains(said, "note: skill web also opens addresses that results name"); got != c.want {
			t.Errorf("%s with %v and %s:\n%s", c.body, c.hosts, c.model, said)
		}
	}
}
