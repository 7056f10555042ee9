// Package cli holds the habits that agentc and the programs it makes share.
//
// Data goes to stdout, people are spoken to on stderr. `-C DIR` stands first; all other flags may stand anywhere, and `--`
// ends them. Every command has a --help with an example. Colour only on a terminal, unless --color says otherwise or
// NO_COLOR is set. An unknown command or flag names the nearest one, and words that people bring from other tools are known.
//
// What could not be written to stdout is a [Failure] of every command, whether the command looks or not.
//
// Input: a [Program] and the arguments. Output: an exit code, [Done] to [Paused]. The package needs the standard library only.
package cli
