// Package emit turns the intermediate representation into Go.
//
// Input: an [ir.Program] without mistakes. Output: [File] values in memory: one for each agent,
// agentc_gen.go for what they share, agentc_gen_test.go with a test of every machine. The same
// program gives the same bytes, and a file depends on its own agent alone, with its steps, and on
// which of the named states are agents.
//
// A machine becomes a switch and a loop that runs it, a flow a method that does its operations one
// after another, and each conversation, an agent's own or that of a step, a specification that the
// runtime is given. A workflow becomes the type of its runs with a method for each pipeline, in
// which each step is a paragraph: its work, and what becomes of the output, which is recorded.
// Expressions are Go where types are known, and calls of package workflow elsewhere.
//
// Code is built with jennifer and formatted once. Identifiers come from package names, legal keys
// from ir.Place. Two files keep text from becoming code: comment.go is the one place that writes
// comments, text.go the one that writes texts.
package emit
