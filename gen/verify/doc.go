// Package verify reads emitted Go back and proves that it is the program it was emitted from.
//
// Input: the program and the files. Output: nil, or the first place at which they differ, as a [*MismatchError]; a file
// that does not parse is an [*emit.BrokenError]. Either is a fault of agentc, found before a file reaches the disk.
//
// What differs from machine to machine is read from the syntax tree and compared state by state and key by key: the
// constants, each case of Next, whole or in pieces, the rows that CanonicalKey finds, Keys, Terminal, Runs, the texts, the
// initial state, which agent runs in which state and at which place. A flow is compared statement by statement with its
// operations, and so in the bodies of its loops and conditions: what runs, on which input, at which place, which error ends
// it, what it finishes with. A workflow is compared step by step in the same way: what each does, what it is given, how often
// it is tried and what becomes of its output; the rows of its machines, event by event, with their guards; what its runs keep.
// Conditions are compared by what they mean, whatever parentheses they are written with.
//
// Of conversations with a model, which agents and steps are, and of tools, functions and skills, it is compared what the runtime
// is told: every field, the texts and schemas that the fields name, the switch that finds a tool. What is the same for all is
// compared token by token with what is expected, and so are the tests: their tables have to be those of the source.
//
// Not compared are the Go types of schemas, pictures, and what the program's two hashes are. The package shares no code with
// emission but the names, the rule of legal keys, and which rows a test leaves out.
package verify
