package serve

import "runtime/debug"

// crashBySignal has a crash of the Go runtime end the process by a signal. By itself it exits with
// status 2, as for a wrong command line: a service manager that does not start the server again
// after that would leave it down after a panic in a tool.
func crashBySignal() {
	noCore()
	debug.SetTraceback("crash")
}
