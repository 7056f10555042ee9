package names_test

import (
	"encoding/json"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, exported, unexported, part string }{
		{"smart-critic", "SmartCritic", "smartCritic", "SmartCritic"},
		{"_smart", "Smart", "smart", "Smart"},
		{"good_enough", "GoodEnough", "goodEnough", "GoodEnough"},
		{"fooBar", "FooBar", "fooBar", "FooBar"},
		{"id", "ID", "id", "ID"},
		{"user-ids", "UserIDs", "userIDs", "UserIDs"},
		{"http-get", "HTTPGet", "httpGet", "HTTPGet"},
		{"api-url", "APIURL", "apiURL", "APIURL"},
		{"ApiUrl", "ApiUrl", "apiUrl", "ApiUrl"},
		{"3d-model", "N3dModel", "n3dModel", "3dModel"},
		{"v1.2", "V1_2", "v1_2", "V1_2"},
		{"v12", "V12", "v12", "V12"},
		{"func", "Func", "func", "Func"},
		{"c++", "CPlusPlus", "cPlusPlus", "CPlusPlus"},
		{"c#", "CSharp", "cSharp", "CSharp"},
		{"!", "Bang", "bang", "Bang"},
		{"👍", "U1F44D", "u1F44D", "U1F44D"},
		{"good 👍", "GoodU1F44D", "goodU1F44D", "GoodU1F44D"},
		{"-", "U002D", "u002D", "U002D"},
		{"", "Empty", "empty", "Empty"},
		{"日本", "X日本", "x日本", "日本"},
		{"ärger", "Ärger", "ärger", "Ärger"},
		{"a\xffb", "AByteFFB", "aByteFFB", "AByteFFB"},
		{"a\u202eb", "AU202EB", "aU202EB", "AU202EB"},
	} {
		if got := names.Exported(c.text); got != c.exported {
			t.Errorf("Exported(%q) is %s, want %s", c.text, got, c.exported)
		}
		if got := names.Unexported(c.text); got != c.unexported {
			t.Errorf("Unexported(%q) is %s, want %s", c.text, got, c.unexported)
		}
		if got := names.Part(c.text); got != c.part {
			t.Errorf("Part(%q) is %s, want %s", c.text, got, c.part)
		}
	}
}

func TestFiles(t *testing.T) {
	for name, want := range map[string]string{
		"smart-critic": "smart-critic_gen.go", "_hidden": "hidden_gen.go", "agentc": names.SharedFile, "x-test": "x-test_gen.go",
	} {
		if got := names.File(name); got != want {
			t.Errorf("File(%q) is %s, want %s", name, got, want)
		}
	}
}

func TestConversations(t *testing.T) {
	for of, want := range map[string]string{
		"blog-writer":       "blogWriterSpec blogWriterPrompt BlogWriterOutput blogWriterOutputSchema",
		"blog-writer/draft": "blogWriterDraftStep blogWriterDraftStepPrompt BlogWriterDraftStepOutput blogWriterDraftStepOutputSchema",
		"_x/act":            "xActStep xActStepPrompt XActStepOutput xActStepOutputSchema",
		"3d/act":            "n3dActStep n3dActStepPrompt N3dActStepOutput n3dActStepOutputSchema",
	} {
		got := strings.Join([]string{
			names.Spec(of), names.Prompt(of), names.Output(of), names.OutputSchema(of),
		}, " ")
		if got != want {
			t.Errorf("%s: got %s, want %s", of, got, want)
		}
	}
}

// FuzzNames turns any text into identifiers that are Go's, and checks that texts which differ in more than separators and
// the case of letters differ as identifiers.
func FuzzNames(f *testing.F) {
	for _, pair := range [][2]string{
		{"a-b", "a_b"}, {"c", "c++"}, {"", "-"}, {"日本", "x"}, {"3x", "x3"}, {"\xff", "\xfe"}, {"👍", "👎"}, {"a\u0301", "á"}, {"ǆ", "ß"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, name := range []string{
			names.Exported(a), names.Unexported(a) + "Spec", names.State(a, b), names.Key(a, b), names.Place(a, b), names.Run(a),
			names.Range("next", a), names.Script(a), names.MachineTest(a),
			names.Spec(a + "/" + b), names.Prompt(a + "/" + b), names.Output(a + "/" + b), names.OutputSchema(a + "/" + b),
		} {
			if !token.IsIdentifier(name) {
				t.Errorf("%q and %q: %q is no identifier", a, b, name)
			}
		}
		if !token.IsExported(names.Exported(a)) {
			t.Errorf("%q: %q is not exported", a, names.Exported(a))
		}
		if plain(a) && plain(b) && names.Part(a) == names.Part(b) && heard(a) != heard(b) {
			t.Errorf("%q and %q both become %q", a, b, names.Part(a))
		}
	})
}

// plain reports whether a text is made of letters, digits and separators; what else there is in a text is spelled in words,
// which another text may hold as words.
func plain(text string) bool {
	return heard(text) != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_./:", r)
	})
}

// heard is what has to be the same in two such texts that become the same identifier: letters and digits without case.
func heard(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, text)
}

// at returns a text with a place of its own.
func at(file *source.File, text string, place int) ir.Text {
	return ir.Text{Value: text, Span: source.Span{File: file, Start: place, End: place + 1}}
}

func TestCollisions(t *testing.T) {
	file := source.NewFile("agents/a/AGENT.md", []byte(strings.Repeat("x", 100)))
	machine := func(name string, place int, states ...string) *ir.Agent {
		m := &ir.Machine{External: true}
		for i, s := range states {
			m.States = append(m.States, &ir.State{Name: at(file, s, place+1+i)})
		}
		return &ir.Agent{Name: at(file, name, place), Node: m}
	}
	flow := func(name string, place int, steps ...string) *ir.Agent {
		f := &ir.Flow{Kind: "critic", Body: ir.NewPipeline()}
		for i, s := range steps {
			step := &ir.Step{Name: at(file, s, place+1+i), Node: &ir.Oneshot{}}
			f.Conversations = append(f.Conversations, step)
			run := &ir.Run{Step: step, At: ir.Place{Kind: ir.PlaceOpen, State: s}}
			f.Body.Tasks = append(f.Body.Tasks, &ir.Task{Do: run})
		}
		return &ir.Agent{Name: at(file, name, place), Node: f}
	}
	for _, c := range []struct {
		name   string
		agents []*ir.Agent
		want   []string
	}{
		{"flows", []*ir.Agent{flow("a", 0, "draft", "critique"), flow("b", 10, "draft", "critique")}, nil},
		{"steps of two flows", []*ir.Agent{flow("a", 0, "b-draft"), flow("a-b", 10, "draft")},
			[]string{"aBDraftStep: step b-draft, step draft"}},
		{"a step and an agent", []*ir.Agent{flow("a", 0, "act"), {Name: at(file, "a-act-step", 10), Node: &ir.React{}}},
			[]string{"aActStepPrompt: step act, agent a-act-step"}},
		{"the place of a flow and of a machine", []*ir.Agent{flow("a", 0, "at-b"), machine("a-at", 10, "b")},
			[]string{"aAtAtB: agent a, state b"}},
		{"none", []*ir.Agent{machine("a", 0, "x", "y"), machine("b", 10, "x", "y")}, nil},
		{"states", []*ir.Agent{machine("a", 0, "x-y", "x_y", "z")}, []string{"AStateXY: state x-y, state x_y"}},
		{"agent a-state and machine a", []*ir.Agent{machine("a", 0, "state-b"), machine("a-state", 10, "b")},
			[]string{"AStateStateB: state state-b, state b"}},
		{"agents", []*ir.Agent{machine("user-id", 0, "x"), machine("user-i-d", 10, "x")},
			[]string{"RunUserID: agent user-id, agent user-i-d"}},
		{"files", []*ir.Agent{machine("agentc", 0, "x")}, []string{"agentc_gen.go:  , agent agentc"}},
		{"a leading _", []*ir.Agent{machine("_x", 0, "a"), machine("x", 10, "a")},
			[]string{"x_gen.go: agent _x, agent x"}},
		{"outputs of an agent and a tool", []*ir.Agent{{
			Name: at(file, "search", 0),
			Node: &ir.Oneshot{Output: &ir.Schema{Kind: ir.SchemaString}},
		}}, []string{"SearchOutput: output of agent search, output of tool search"}},
	} {
		tool := &ir.Tool{Name: at(file, "search", 90), Output: &ir.Schema{Kind: ir.SchemaString}}
		collisions := names.Collisions(&ir.Program{Agents: c.agents, Tools: []*ir.Tool{tool}})
		var got []string
		for _, collision := range collisions {
			got = append(got, collision.Second.Go+": "+collision.First.What+" "+collision.First.From.Value+", "+
				collision.Second.What+" "+collision.Second.From.Value)
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStable adds an agent, a state and a key: no identifier that was there changes.
func TestStable(t *testing.T) {
	key := func(text string) *ir.Row { return &ir.Row{Key: ir.Text{Value: text}, End: true} }
	state := &ir.State{Name: ir.Text{Value: "open"}, Rows: []*ir.Row{key("yes")}}
	m := &ir.Machine{States: []*ir.State{state}}
	p := &ir.Program{Agents: []*ir.Agent{{Name: ir.Text{Value: "door"}, Node: m}}}
	before, _ := names.Of(p)

	state.Rows = append([]*ir.Row{key("no")}, state.Rows...)
	m.States = append([]*ir.State{{Name: ir.Text{Value: "shut"}}}, m.States...)
	p.Agents = append([]*ir.Agent{{Name: ir.Text{Value: "doo"}, Node: &ir.Oneshot{}}}, p.Agents...)
	after, collisions := names.Of(p)
	for _, id := range before {
		if !slices.ContainsFunc(after, func(now names.Identifier) bool { return now.Scope == id.Scope && now.Go == id.Go }) {
			t.Errorf("%s is gone", id.Go)
		}
	}
	if len(collisions) > 0 {
		t.Errorf("collisions: %v", collisions)
	}
	for _, id := range after {
		if id.Scope != names.FileNames && strings.ContainsAny(id.Go, "0123456789_") {
			t.Errorf("%s has a number that no text has", id.Go)
		}
	}
}

// TestEntryNames: an agent's method on an engine is called like the agent, and never like another method.
func TestEntryNames(t *testing.T) {
	var agents []*ir.Agent
	for i, name := range []string{"blog-post", "run", "run-blog-post", "program", "routed", "tools"} {
		agents = append(agents, &ir.Agent{
			Name: ir.Text{Value: name, Span: source.Span{Start: i}}, Node: &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{}},
		})
	}
	if collisions := names.Collisions(&ir.Program{Agents: agents}); len(collisions) > 0 {
		t.Errorf("collisions: %+v", collisions)
	}
	for agent, want := range map[string]string{"blog-post": "BlogPost", "run": "StartRun", "program": "StartProgram", "3d": "N3d"} {
		if got := names.Entry(agent); got != want {
			t.Errorf("%s: %s, want %s", agent, got, want)
		}
	}
}

func TestWorkflowNames(t *testing.T) {
	top, refine := &ir.Pipeline{}, &ir.Pipeline{Name: []string{"refine"}}
	body := &ir.Pipeline{Name: []string{"refine", "3d pass", "body"}}
	for got, want := range map[string]string{
		names.RunWith("blog-post"):                                               "RunBlogPostWith",
		names.NewRun("blog-post"):                                                "newBlogPost",
		names.RunType("http"):                                                    "httpRun",
		names.StepsType("blog-post"):                                             "blogPostSteps",
		names.Context("blog-post"):                                               "BlogPostContext",
		names.Answer("blog-post/ask editor"):                                     "BlogPostAskEditorAnswer",
		names.AnswerSpec("blog-post/ask editor"):                                 "blogPostAskEditorAnswer",
		names.AnswerSchema("blog-post/ask editor"):                               "blogPostAskEditorAnswerSchema",
		names.Pipeline(top):                                                      "run",
		names.Pipeline(refine):                                                   "runRefine",
		names.Pipeline(body):                                                     "runRefine3dPassBody",
		names.Work(names.Choose, top, "route"):                                   "chooseRoute",
		names.Work(names.Repeat, refine, "func"):                                 "repeatRefineFunc",
		names.Machine("blog", top, "blog"):                                       "blog",
		names.Machine("blog", top, "main"):                                       "blog main",
		names.Machine("blog", refine, "blog"):                                    "blog refine blog",
		names.StateType(names.Machine("b", body, "m-1")):                         "BRefine3dPassBodyM1State",
		names.ApplyFunc("pkg.mod:func"):                                          "applyPkgModFunc",
		names.FuncArgs("pkg.mod:func"):                                           "PkgModFuncArgs",
		names.TypeOf(ir.Type{Owner: ir.OwnerFunc, OwnerName: "pkg:f"}):           "PkgFResult",
		names.TypeOf(ir.Type{Owner: ir.OwnerConversation, OwnerName: "blog/me"}): "BlogMeStepOutput",
		names.TypeOf(ir.Type{Owner: ir.OwnerAnswer, OwnerName: "blog/ask"}):      "BlogAskAnswer",
		names.TypeOf(ir.Type{Owner: ir.OwnerContext, OwnerName: "blog"}):         "BlogContext",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestCollisionsInWorkflows(t *testing.T) {
	file := source.NewFile("workflows/w.yaml", []byte(strings.Repeat("x", 100)))
	place := 0
	text := func(s string) ir.Text { place++; return at(file, s, place) }
	step := func(name string, do ir.Op) *ir.Task { return &ir.Task{Name: text(name), Do: do} }
	pipeline := func(words string, tasks ...*ir.Task) *ir.Pipeline {
		place++
		return &ir.Pipeline{Name: strings.Fields(words), Description: words, Span: source.Span{File: file, Start: place}, Tasks: tasks}
	}
	machine := func(states ...string) *ir.Machine {
		m := &ir.Machine{}
		for _, s := range states {
			m.States = append(m.States, &ir.State{Name: text(s), Body: pipeline(s)})
		}
		return m
	}
	outputs := func(list ...string) []*ir.Output {
		var all []*ir.Output
		for _, name := range list {
			all = append(all, &ir.Output{Name: text(name)})
		}
		return all
	}
	for _, c := range []struct {
		name     string
		workflow *ir.Flow
		want     string
	}{
		{"none", &ir.Flow{Kind: ir.Workflow, Outputs: outputs("a", "b"), Body: pipeline("", step("m", machine("a", "b")))}, ""},
		{"states", &ir.Flow{Kind: ir.Workflow, Body: pipeline("", step("m", machine("a-b", "a_b")))}, "WMStateAB: state a-b, state a_b"},
		{"outputs", &ir.Flow{Kind: ir.Workflow, Outputs: outputs("a-b", "a b"), Body: pipeline("")}, "AB: step a-b, step a b"},
		{"machines of one name", &ir.Flow{Kind: ir.Workflow, Body: pipeline("", step("m", machine("a")), step("m", machine("b")))},
			"WMState: step m, step m"},
		{"a loop and its neighbour", &ir.Flow{Kind: ir.Workflow, Body: pipeline("",
			step("a-b", &ir.Loop{Body: pipeline("a-b body")}), step("a_b", &ir.Loop{Body: pipeline("c body")}))},
			"repeatAB: step a-b, step a_b"},
		{"pipelines", &ir.Flow{Kind: ir.Workflow, Body: pipeline("",
			step("a", &ir.Loop{Body: pipeline("a body")}), step("b", &ir.Loop{Body: pipeline("a-body")}))},
			"runABody: step a, step b"},
		{"branches", &ir.Flow{Kind: ir.Workflow, Body: pipeline("", step("c", &ir.Branch{Branches: []*ir.Arm{
			{Name: text("x-y"), Body: pipeline("c x-y")}, {Name: text("x_y"), Body: pipeline("c x_y")}}}))},
			"runCXY: branch x-y, branch x_y"},
	} {
		_, collisions := names.Of(&ir.Program{Agents: []*ir.Agent{{Name: text("w"), Node: c.workflow}}})
		var got []string
		for _, collision := range collisions {
			got = append(got, collision.Second.Go+": "+collision.First.What+" "+collision.First.From.Value+", "+
				collision.Second.What+" "+collision.Second.From.Value)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestFixedNames: the config can rename each fixed name, and nothing else; a new name is in the place of the old one, which is
// free then.
func TestFixedNames(t *testing.T) {
	content, err := os.ReadFile("../../../schema/config.json")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Properties struct {
			Rename struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(content, &config); err != nil {
		t.Fatal(err)
	}
	fields := slices.Sorted(maps.Keys(config.Properties.Rename.Properties))

	var known []string
	plain := reflect.ValueOf(names.FixedNames(&ir.Program{}))
	for i := range plain.NumField() {
		known = append(known, plain.Type().Field(i).Name)
		if plain.Field(i).String() != known[i] {
			t.Errorf("without rename %s is %s", known[i], plain.Field(i))
		}
	}
	slices.Sort(known)
	if !slices.Equal(known, fields) {
		t.Errorf("fixed names are %q, and the fields of rename are %q", known, fields)
	}

	file := source.NewFile("agentc.yaml", []byte(strings.Repeat("x", 100)))
	p := &ir.Program{Renames: []ir.GoRename{{From: "New", To: at(file, "App", 1)}, {From: "App", To: at(file, "Desk", 2)}}}
	want := names.Fixed{App: "Desk", New: "App", Tools: "Tools", Guards: "Guards", Funcs: "Funcs"}
	if got := names.FixedNames(p); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if found := names.Collisions(p); found != nil {
		t.Errorf("collisions: %v", found)
	}
}
