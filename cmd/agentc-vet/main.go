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
	switch asked(os.Args[1:]) {
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
	// nothing is a command line that makes no sense.
	nothing request = iota
	// byGo is one of the go command, or help in the words of unitchecker.
	byGo
	// forHelp is help in the words that people use elsewhere.
	forHelp
)

// asked says who wrote a command line. The go command asks for flags and versions, or gives the
// file that describes a package.
func asked(args []string) request {
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
