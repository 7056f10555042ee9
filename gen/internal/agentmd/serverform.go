package agentmd

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Servers may also be written as in the configuration of other programs: `command: npx`, `args:
// […]`, `env: {TOKEN: "${TOKEN}"}` and `type: stdio`. These forms are accepted if their meaning is
// certain.
//
// serverCommand returns the command of a server with its arguments; nil for a server with a URL.

// serverCommand returns the command of a server with its arguments; nil for one at a url.
func serverCommand(mcp *yamldoc.Node) []string {
	command := ir.Values(frontend.Texts(mcp.Value("command")))
	if program := frontend.Text(mcp.Value("command")); program.Value != "" {
		command = []string{program.Value}
	}
	if len(command) == 0 {
		return nil
	}

	return append(command, ir.Values(frontend.Texts(mcp.Value("args")))...)
}

// serverVariables returns the names of the variables that a command receives.
func serverVariables(env *yamldoc.Node) []string {
	names := ir.Values(frontend.Texts(env))
	for _, f := range env.Members() {
		names = append(names, f.Key.Text)
	}

	return names
}

// checkServerForm reports settings of another program's configuration that have no counterpart
// here. It returns true if there are none.
func (l *loader) checkServerForm(mcp *yamldoc.Node) (understood bool) {
	before := l.List.Len()
	program := frontend.Text(mcp.Value("command"))
	if words := strings.Fields(program.Value); len(words) > 1 {
		l.List.Add(diag.New(diag.BadValue, program.Span, "a command that is one text is a program without arguments").
			WithHint("write command: [%s]", strings.Join(words, ", ")))
	}
	l.checkServerType(mcp)
	env := mcp.Value("env")
	for _, f := range env.Members() {
		l.checkServerVariable(env, f)
	}

	return l.List.Len() == before
}

// checkServerType reports a type that contradicts the other fields.
func (l *loader) checkServerType(mcp *yamldoc.Node) {
	given := frontend.Text(mcp.Value("type"))
	reached, wanted := "url", "http"
	if mcp.Value("command") != nil {
		reached, wanted = "command", "stdio"
	}
	switch {
	case given.Value == "":
	case given.Value == "sse":
		l.List.Add(diag.New(diag.BadValue, given.Span, "the transport sse, which streamable HTTP has replaced, is not supported").
			WithHint("write type: http, and the url for that, which often ends with /mcp"))
	case (given.Value == "stdio") != (wanted == "stdio"):
		l.List.Add(diag.New(diag.BadValue, given.Span, "a server with a %q is not of type %s", reached, given.Value).
			WithHint("write type: %s, or leave it out", wanted))
	}
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkServerVariable reports a variable that does not receive its own value. Values are not
// written in the source, because they would get into the generated code and into version control.
func (l *loader) checkServerVariable(env *yamldoc.Node, f *yamldoc.Field) {
	name, value := f.Key.Text, frontend.Text(f.Value).Value
	if !variableName.MatchString(name) {
		l.List.Add(diag.New(diag.BadValue, f.Key.Span, "%q is not the name of an environment variable", name))
		return
	}
	if value == "${"+name+"}" || value == "${env:"+name+"}" {
		return
	}
	problem := "the value of a variable is not written here: it would be in the generated code"
	if strings.HasPrefix(value, "${") {
		problem = fmt.Sprintf("a command receives %s under its own name", name)
	}
	l.List.Add(diag.New(diag.BadValue, f.Value.Span, "%s", problem).
		WithHint("write env: [%s], and set %s where the program runs", strings.Join(serverVariables(env), ", "), name))
}
