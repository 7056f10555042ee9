// Package explain contains the documentation of each check: why its diagnostics matter, a wrong and
// a right example, and how to fix the problem. The command agentc explain prints it.
//
// The pages are Markdown files in pages/, named after their checks and embedded. The first line of
// a page is the name, the next paragraph the severity and the summary of the catalogue. The
// examples are complete projects in txtar form (files one after the other, each below a line `--
// path --`), and tests: the wrong one gives the diagnostic on the line that is marked `<-- here`
// and no other, the right one gives none. The pages about generated files and about Go code show
// the output of a command instead.
package explain
