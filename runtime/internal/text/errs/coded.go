package errs

// Coded is an error that programs know by its code, and people by its text.
type Coded struct {
	// Code is what events, journals, HTTP and MCP call it.
	Code, Text string
	// Err is its cause; nil without one.
	Err error
}

func (c *Coded) Error() string { return c.Text }

// ErrorType is the code of the error; see runtime.ErrorType.
func (c *Coded) ErrorType() string { return c.Code }

func (c *Coded) Unwrap() error { return c.Err }
