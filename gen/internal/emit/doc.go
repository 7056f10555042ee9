// Package emit turns the intermediate representation into Go.
//
// Input: an [ir.Program] without mistakes. Output: [File] values in memory: one for each agent,
// agentc_gen.go for the shared declarations, agentc_gen_test.go with a test of every machine. The
// same program gives the same bytes. A file depends only on its own agent, with its steps, and on
// which of the named states are agents.
//
// A machine becomes a switch and a loop that runs it. A flow becomes a method with its operations
// in order. Each conversation, an agent's own or a step's, becomes a specification for the runtime.
// A workflow becomes the type of its runs, with a method for each pipeline. In it each step is a
// paragraph: its work, and the use of its output. Expressions are Go if types are known, and calls
// of package workflow otherwise.
//
// Code is built with jennifer and formatted once. Identifiers come from package names, legal keys
// from ir.Place. Two files prevent text from becoming code: only comment.go writes comments, and
// only text.go writes texts.
package emit
