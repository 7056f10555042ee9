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

// Listen opens the address, which without credentials has to be this machine's own; variable is named to the caller who has to
// give some. Errors: *OpenDoorError.
func Listen(address string, known Credentials, variable string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, isTCP := l.Addr().(*net.TCPAddr); len(known) == 0 && (!isTCP || !at.IP.IsLoopback()) {
		return nil, errors.Join(&OpenDoorError{Address: address, Variable: variable}, l.Close())
	}

	return l, nil
}
