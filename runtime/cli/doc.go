// Package cli parses command lines and prints help and errors for agentc and the programs it
// generates, so that all of them behave the same.
//
// Data goes to stdout, messages for people to stderr. `-C DIR` comes first; all other flags may be
// anywhere, and `--` ends them. Every command has --help with an example. Output is coloured on a
// terminal only, unless --color says otherwise or NO_COLOR is set. The message about an unknown
// command or flag suggests the nearest one, and words of similar tools are known.
//
// A [Program] runs the arguments and returns an exit code, [Done] to [Paused]. Commands return
// errors, whose messages it prints. If stdout cannot be written, every command returns [Failure].
// The package needs only the standard library.
package cli
