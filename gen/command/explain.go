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
		return c.Usagef("which diagnostic? agentc explain --list lists them")
	}
	page, ok := explain.Page(name)
	if !ok {
		return c.Usagef("there is no diagnostic %q%s: agentc explain --list lists them", name, nearChecks(name))
	}

	return emitText(c, c.Wrap(c.Stdout, explain.Terminal(page, c.Color(c.Stdout))))
}

// nearChecks asks for the check that was meant: the nearest one, or those whose names have the word
// in them.
func nearChecks(word string) string {
	names := explain.Names()
	having := ir.Where(names, func(name string) bool { return strings.Contains(name, strings.ToLower(word)) })
	if near := didYouMean(word, names); near != "" || len(having) == 0 {
		return near
	}

	return fmt.Sprintf(" (did you mean %s?)", strings.Join(ir.Map(having, strconv.Quote), " or "))
}

// listChecks returns a line for each check.
func listChecks() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, check := range diag.Checks() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", check.Name, check.Severity, check.Summary)
	}
	_ = table.Flush() // a builder takes everything

	return b.String()
}
