package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// allRights is what --rights says for all of them.
const allRights = "all"

func tokenCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "token", Args: "add NAME|list|revoke NAME", Max: 2,
		Summary: "add, list or revoke tokens of callers",
		Help: `add prints a new token, once: the tokens file has only its hash. --rights lists what its holder may do:

  start   start runs, and resume runs that failed or were interrupted
  read    see the runs of other callers; each caller sees its own
  answer  answer questions of runs that it can see
  cancel  cancel runs that it can see
  fire    send keys, acknowledgements and signals to machines, and write on the blackboard
  admin   fork runs with other replies, which can hold an approval that no person gave, and resume them by another shape

--agents, --questions and --machines limit the rights to some; without them they are for all. An agent that others run can be started alone,
too, past what those ask and check: name the agents that are to be started.

serve, mcp, answer, cancel and fork read the file. A server notices a change at once: a token that is revoked is refused from then on.`,
		Example: p.Name + " token add front --rights start --agents " + cmp.Or(p.Entry, "desk") + " > front.token\n" +
			p.Name + " token add head --rights read,answer --questions approve > head.token\n" +
			p.Name + " token list\n" + p.Name + " token revoke front",
		Flags: []cli.Flag{
			{Name: "tokens", Value: "FILE", Help: "the tokens file; default: " + access.DefaultFile},
			{Name: "rights", Value: "RIGHTS", Help: "add: what the holder may do, such as start,read; all for all rights"},
			{Name: "agents", Value: "NAMES", Help: "add: the agents whose runs the rights are for; default: all"},
			{Name: "questions", Value: "IDS", Help: "add: the questions that the holder may answer; default: all"},
			{Name: "machines", Value: "NAMES", Help: "add: the machines that the holder may look at and fire; default: all"},
			{Name: "json", Help: "list: print a JSON object per token"},
		},
		Run: func(c *cli.Call) error { return runToken(c, p) },
	}
}

func runToken(c *cli.Call, p *compiled.Program) error {
	word, name := c.Arg(0), c.Arg(1)
	for _, flag := range []string{"rights", "agents", "questions", "machines"} {
		if c.On(flag) && word != "add" {
			return c.Usagef("--%s belongs to token add", flag)
		}
	}
	switch {
	case word != "list" && c.On("json"):
		return c.Usagef("--json belongs to token list")
	case word == "list" && name == "":
		return listTokens(c)
	case word == "list":
		return c.Usagef("%q is one argument too many", name)
	case word != "add" && word != "revoke":
		return c.Usagef("token add NAME, token list or token revoke NAME?")
	case name == "":
		return c.Usagef("whose token? token %s NAME", word)
	case word == "add":
		return addToken(c, p, name)
	}
	if err := access.Revoke(tokensFile(c), name); err != nil {
		return tokenError(c, err)
	}
	c.Sayf("the token of %s is revoked", cells.Clean(name))

	return nil
}

// tokensFile returns the path of the tokens file that is edited.
func tokensFile(c *cli.Call) string {
	if c.On(bearer.Flag.Name) {
		return c.Path(c.Flag(bearer.Flag.Name))
	}

	return bearer.DefaultPath(c)
}

// tokenError gives mistakes the exit code of one.
func tokenError(c *cli.Call, err error) error {
	var file *access.FileError
	if errors.As(err, &file) {
		return c.Errorf(cli.Problem, "%w", err)
	}

	return err
}

func addToken(c *cli.Call, p *compiled.Program, name string) error {
	g := access.Grant{Name: name, Agents: listOf(c.Flag("agents")), Questions: listOf(c.Flag("questions")), Machines: listOf(c.Flag("machines"))}
	if !c.On("rights") {
		return c.Usagef("what may %s do? --rights RIGHTS, such as --rights start,read", name)
	}
	var err error
	g.Rights, err = rightsOf(c)
	if err != nil {
		return err
	}
	notes := []string{}
	for _, name := range bearer.UnknownNames(p, g) {
		if name.List != "questions" { // with it the token would be of no use
			return c.Usagef("--%s: %s", name.List, name.Problem)
		}
		notes = append(notes, "--questions: "+name.Problem)
	}
	if inner := innerAgents(p); g.Has(access.Start) && len(g.Agents) == 0 && len(inner) > 0 {
		const text = "without --agents, %s can also start alone what other agents run, past what those ask and check: %s"
		notes = append(notes, fmt.Sprintf(text, cells.Clean(name), strings.Join(inner, ", ")))
	}
	token, err := access.Add(tokensFile(c), g)
	if err != nil {
		return tokenError(c, err)
	}
	c.Sayf("%s has a token in %s, which is printed only now", cells.Clean(name), c.Rel(tokensFile(c)))
	for _, note := range notes {
		c.Sayf("note: %s", note)
	}
	_, err = fmt.Fprintln(c.Stdout, token)

	return err
}

// listOf returns the words of a flag, separated by commas.
func listOf(flag string) []string {
	words := strings.FieldsFunc(flag, func(r rune) bool { return r == ',' })
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
	}

	return words
}

// rightsOf returns the rights that --rights names.
func rightsOf(c *cli.Call) (rights []access.Right, err error) {
	if c.Flag("rights") == allRights {
		return access.Rights(), nil
	}
	known := []string{allRights}
	for _, right := range access.Rights() {
		known = append(known, string(right))
	}
	for _, word := range listOf(c.Flag("rights")) {
		if word == allRights || !slices.Contains(known, word) {
			return nil, c.Usagef("--rights: there is no right %q%s: they are %s, or %s alone",
				word, nearest.DidYouMean(word, known), strings.Join(known[1:], ", "), allRights)
		}
		rights = append(rights, access.Right(word))
	}
	if len(rights) == 0 {
		return nil, c.Usagef("--rights names no right: they are %s", strings.Join(known[1:], ", "))
	}

	return rights, nil
}

// innerAgents returns the agents that others run and that can be started alone as well.
func innerAgents(p *compiled.Program) (names []string) {
	for i := range p.Agents {
		a := &p.Agents[i]
		runsIt := func(other compiled.Agent) bool {
			return other.Name != a.Name && slices.Contains(other.Contains, a.Name)
		}
		if a.Run != nil && slices.ContainsFunc(p.Agents, runsIt) {
			names = append(names, a.Name)
		}
	}

	return names
}

func listTokens(c *cli.Call) error {
	tokens, err := access.Open(tokensFile(c), nil)
	if errors.Is(err, fs.ErrNotExist) {
		c.Sayf("there is no tokens file %s: token add NAME makes it", c.Rel(tokensFile(c)))
		return c.Exit(cli.Problem)
	}
	if err != nil {
		return tokenError(c, err)
	}
	grants := tokens.Grants()
	widest := 0
	for _, g := range grants {
		widest = max(widest, cells.Width(cells.Clean(g.Name)))
	}
	for _, g := range grants {
		if c.On("json") {
			err = json.NewEncoder(c.Stdout).Encode(g.Complete())
		} else {
			_, err = fmt.Fprintln(c.Stdout, describeGrant(g, widest))
		}
		if err != nil {
			return err
		}
	}

	return nil
}

// describeGrant returns a line about a token, whose name takes some cells.
func describeGrant(g access.Grant, nameCells int) string {
	name := cells.Clean(g.Name)
	var rights []string
	for _, right := range g.Complete().Rights {
		rights = append(rights, string(right))
	}
	line := name + strings.Repeat(" ", nameCells-cells.Width(name)) + "  " + strings.Join(rights, ", ")
	for _, list := range []struct {
		kind  string
		names []string
	}{{"agents", g.Agents}, {"questions", g.Questions}, {"machines", g.Machines}} {
		if len(list.names) > 0 {
			line += "; " + list.kind + ": " + cells.Clean(strings.Join(list.names, ", "))
		}
	}

	return line
}
