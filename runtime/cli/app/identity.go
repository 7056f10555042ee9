package app

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// IdentityVariable is an environment variable that a process sets to find out what a program is
// before it gives the program anything to do, as agentc run does. [Main] then prints an [Identity]
// as a line of JSON to stdout and exits with 0, whatever the command line is.
const IdentityVariable = "AGENTC_IDENTITY"

// Protocol is the version of what a process that starts a program relies on: the commands, their
// flags and the variables.
const Protocol = 1

// Identity is what a program is.
type Identity struct {
	// Nonce is the value of [IdentityVariable], which shows that the line is the reply to this
	// process.
	Nonce string `json:"nonce"`
	// Protocol is [Protocol] of the runtime that the program is linked with.
	Protocol int `json:"protocol"`
	// Name and Shape identify the compiled program.
	Name  string `json:"name"`
	Shape string `json:"shape"`
}

// printIdentity prints what the program is, and returns the exit code.
func printIdentity(p *compiled.Program, nonce string, stdout io.Writer) (code int) {
	line, err := json.Marshal(Identity{Nonce: nonce, Protocol: Protocol, Name: p.Name, Shape: p.Shape})
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%s\n", line)
	}
	if err != nil {
		return cli.Failure
	}

	return cli.Done
}
