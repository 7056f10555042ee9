package bearer

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// TokenVariable is the environment variable that holds the token of a caller at the command line, or on stdin.
const TokenVariable = "AGENTC_TOKEN"

// TokenFlag is the flag that names the file with that token.
var TokenFlag = cli.Flag{Name: "token-file", Value: "FILE", Help: "the file with your token, where there is a tokens file; default: $" + TokenVariable}

// ReadCaller returns the caller whose token is in the file of --token-file, or else in the variable. where names the tokens
// file. Errors: *access.TokenError without a token that is known.
func ReadCaller(c *cli.Call, lookup access.Lookup, where string) (access.Caller, error) {
	token, from := c.Getenv(TokenVariable), TokenVariable
	if c.On(TokenFlag.Name) {
		text, err := c.ReadFlag(TokenFlag.Name)
		if err != nil {
			return access.Caller{}, err
		}
		token, from = string(text), "--token-file "+c.Flag(TokenFlag.Name)
	}
	token = strings.TrimSpace(token)
	if token == "" && !c.On(TokenFlag.Name) {
		const text = "%s defines who may do what, so that you need a token: --token-file FILE, or the variable %s"
		return access.Caller{}, c.Errorf(cli.Problem, "%w", &access.TokenError{Problem: fmt.Sprintf(text, where, TokenVariable)})
	}
	who, err := access.Holder(lookup, token)
	if err != nil {
		const text = "the token of %s is none of those in %s"
		return who, c.Errorf(cli.Problem, "%w", &access.TokenError{Problem: fmt.Sprintf(text, from, where)})
	}

	return who, nil
}
