package main

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// handMachine is the Go that a careful person writes for the machine: the same types as the generated code has, constants,
// names, and one switch in a switch.
func handMachine(m contest.Machine) []byte {
	var b strings.Builder
	b.WriteString("// Package hand is a state machine written by hand.\npackage hand\n\n")
	fmt.Fprintf(&b, "// State is a state of the machine.\ntype State %s\n\n// The states.\nconst (\n", stateType(m))
	for i := range m.States {
		fmt.Fprintf(&b, "\tS%d", i)
		if i == 0 {
			b.WriteString(" State = iota + 1")
		}
		b.WriteString("\n")
	}
	b.WriteString(")\n\n// Key is what a row is chosen by.\ntype Key string\n\n// The keys.\nconst (\n")
	for _, key := range keyWords {
		fmt.Fprintf(&b, "\t%s Key = %q\n", goName(key), key)
	}
	b.WriteString(")\n\nvar names = [...]string{\n")
	for i, state := range m.States {
		fmt.Fprintf(&b, "\tS%d: %q,\n", i, state.Name)
	}
	b.WriteString("}\n\n// String returns the name of s.\nfunc (s State) String() string { return names[s] }\n\n")
	b.WriteString("// Next returns the state after s.\nfunc (s State) Next(key Key) (next State, ok bool) {\n\tswitch s {\n")
	for i, state := range m.States {
		if len(state.Rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\tcase S%d:\n\t\tswitch key {\n", i)
		for _, row := range state.Rows {
			fmt.Fprintf(&b, "\t\tcase %s:\n\t\t\treturn S%d, true\n", goName(row.Key), row.To)
		}
		b.WriteString("\t\t}\n")
	}
	b.WriteString("\t}\n\n\treturn 0, false\n}\n")

	return must(format.Source([]byte(b.String())))
}

// stateType is the smallest unsigned type that holds the states of m and zero.
func stateType(m contest.Machine) string {
	if len(m.States) < 1<<8 {
		return "uint8"
	}

	return "uint16"
}

// goName is the Go name of words with hyphens.
func goName(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}

	return b.String()
}

// handChain is the Go that a person in a hurry writes for a chain of n states: a loop, a switch, and a direct call of the
// model with each state's prompt.
func handChain(n int) []byte {
	var b strings.Builder
	b.WriteString("// Package handchain is a chain of model calls written by hand.\npackage handchain\n\n")
	b.WriteString("// Model answers at once with what it was given.\ntype Model struct{ Calls int }\n\n")
	b.WriteString("// Ask asks the model.\n//\n//go:noinline\n")
	b.WriteString("func (m *Model) Ask(prompt, input string) (string, error) {\n\tm.Calls++\n\n\treturn input, nil\n}\n\n")
	b.WriteString("// Run runs the chain.\nfunc Run(model *Model, value string) (string, error) {\n\tvar err error\n")
	fmt.Fprintf(&b, "\tfor state := 0; state < %d; {\n\t\tswitch state {\n", n)
	for i := range n {
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\tvalue, err = model.Ask(%q, value)\n\t\t\tstate = %d\n", i, chainPrompt(i), i+1)
	}
	b.WriteString("\t\t}\n\t\tif err != nil {\n\t\t\treturn \"\", err\n\t\t}\n\t}\n\n\treturn value, nil\n}\n")

	return must(format.Source([]byte(b.String())))
}
