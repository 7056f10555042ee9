package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/agentc-dev/agentc/gen/vet"
)

const usage = `agentc-vet: the go command runs it:

	go vet -vettool=$(which agentc-vet) ./...

agentc-vet help lists what it finds, agentc-vet help NAME explains one of them.
`

func main() {
	switch classifyArguments(os.Args[1:]) {
	case byGo:
	case forHelp:
		os.Args = []string{os.Args[0], "help"}
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	unitchecker.Main(vet.Analyzers()...)
}

type request int

const (
	// nothing is a command line without meaning.
	nothing request = iota
	// byGo is a command line of the go command, or a request for help that unitchecker knows.
	byGo
	// forHelp is a request for help in a usual form of other programs.
	forHelp
)

// classifyArguments returns the kind of a command line. The go command asks for flags and versions,
// or passes the file that describes a package.
func classifyArguments(args []string) request {
	for _, arg := range args {
		switch {
		case arg == "-h", arg == "-help", arg == "--help":
			return forHelp
		case arg == "help", arg == "-flags", strings.HasPrefix(arg, "-V"), strings.HasSuffix(arg, ".cfg"):
			return byGo
		}
	}

	return nothing
}
