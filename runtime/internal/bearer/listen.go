package bearer

import (
	"errors"
	"fmt"
	"net"
)

// OpenDoorError is a server that would be reachable from other machines without a credential. It does not start.
type OpenDoorError struct {
	Address string
	// Variable holds credentials where no file does.
	Variable string
}

func (e *OpenDoorError) Error() string {
	return fmt.Sprintf("%s can be reached from other machines: name who may call with --tokens, or in %s, or listen on 127.0.0.1",
		e.Address, e.Variable)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*OpenDoorError) ErrorType() string { return "OpenDoorError" }

// Listen opens the address. Unless callers need credentials, it has to be this machine's own; variable is where the error says that
// some can be given. Errors: *OpenDoorError.
func Listen(address string, credentials bool, variable string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, isTCP := l.Addr().(*net.TCPAddr); !credentials && (!isTCP || !at.IP.IsLoopback()) {
		return nil, errors.Join(&OpenDoorError{Address: address, Variable: variable}, l.Close())
	}

	return l, nil
}
