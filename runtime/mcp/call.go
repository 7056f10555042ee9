package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// call is who called, and how to send them something before the reply.
type call struct {
	who     access.Caller
	request *sdk.CallToolRequest
}

// newCall returns who calls: over HTTP the one to whom the bearer token belongs, else the one that the server was started with.
func (s *Server) newCall(r *sdk.CallToolRequest) call {
	return call{who: s.callerOf(r), request: r}
}

// callerOf returns who makes a request, as call does.
func (s *Server) callerOf(r sdk.Request) access.Caller {
	if extra := r.GetExtra(); extra != nil && extra.TokenInfo != nil {
		if who, ok := extra.TokenInfo.Extra[callerKey].(access.Caller); ok {
			return who
		}
	}

	return s.options.Caller
}

// identity returns the name of the credential; "" for a connection without one.
func (c call) identity() string { return c.who.Name() }

// checked are arguments that have to be more than what their schema says.
type checked interface{ checkInput() error }

// claiming are arguments that say who calls; "" is nothing that has to be checked here.
type claiming interface{ claimedName() string }

// claimant is the argument agent_id.
type claimant struct {
	Agent string `json:"agent_id,omitempty" jsonschema:"who you are; with a credential it must be the credential's name"`
}

func (c claimant) claimedName() string { return c.Agent }

// checkInput returns an error for wrong arguments, and for a claim that the credential does not
// support.
func (c call) checkInput(in any) error {
	if in, ok := in.(checked); ok {
		if err := in.checkInput(); err != nil {
			return err
		}
	}
	if in, ok := in.(claiming); ok {
		return board.CheckIdentity(in.claimedName(), c.identity())
	}

	return nil
}
