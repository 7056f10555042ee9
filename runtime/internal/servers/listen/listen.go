// Package listen opens the addresses of servers: without tokens, only those that no other machine reaches. It is not a
// part of package bearer, which every command line has: package net makes a binary 80 kB larger.
package listen

import (
	"errors"
	"fmt"
	"net"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Open opens the address of a server. Unless callers need credentials, it has to be this machine's
// own; variable is the variable that the error names for credentials. Errors: OpenDoorError for a
// server that other machines would reach without a credential.
func Open(address string, credentials bool, variable string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, isTCP := l.Addr().(*net.TCPAddr); !credentials && (!isTCP || !at.IP.IsLoopback()) {
		const text = "%s can be reached from other machines: name who may call with --tokens, or in %s, or listen on 127.0.0.1"
		open := &errs.Coded{Code: "OpenDoorError", Text: fmt.Sprintf(text, address, variable)}

		return nil, errors.Join(open, l.Close())
	}

	return l, nil
}
