package command

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var explainCommand = &cli.Command{
	Name: "explain", Args: "NAME", Max: 1, Values: explain.Names,
	Summary: "explain a diagnostic, with a wrong and a right example",
	Example: "agentc explain undefined-state\nagentc explain --list",
	Flags:   []cli.Flag{{Name: "list", Help: "list all diagnostics"}},
	Run:     explainCheck,
}

func explainCheck(c *cli.Call) error {
	if c.On("list") {
		return c.Print(listChecks())
	}
	name := strings.Trim(c.Arg(0), "[]")
	if name == "" {
		return c.Usagef("name a diagnostic; agentc explain --list lists them")
	}
	page, ok := explain.Page(name)
	if !ok {
		return c.Usagef("there is no diagnostic %q%s: agentc explain --list lists them", name, suggestChecks(name))
	}

	return emitText(c, c.Wrap(c.Stdout, explain.Terminal(page, c.Color(c.Stdout))))
}

// suggestChecks returns "(did you mean ...?)" with the nearest name, or with the names that contain
// the word.
func suggestChecks(word string) string {
	names := explain.Names()
	containing := ir.Where(names, func(name string) bool { return strings.Contains(name, strings.ToLower(word)) })
	if near := didYouMean(word, names); near != "" || len(containing) == 0 {
		return near
	}

	return fmt.Sprintf(" (did you mean %s?)", strings.Join(ir.Map(containing, strconv.Quote), " or "))
}

// listChecks returns a line for each check.
func listChecks() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, check := range diag.Checks() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", check.Name, check.Severity, check.Summary)
	}
	_ = table.Flush() // a strings.Builder returns no error

	return b.String()
}
