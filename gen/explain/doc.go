// Package explain holds a page about each check of the catalogue: why it matters, a wrong and a right example, and how to
// fix it.
//
// The pages are Markdown files in pages/, named after their checks and embedded. The first line of a page is the name, the
// next paragraph the severity and the summary of the catalogue. The examples are whole projects in txtar form (files one
// after the other, each below a line `-- path --`), and tests: the wrong one gives the finding on the line that is marked
// `<-- here` and no other, the right one gives none. The pages about generated files and about Go code show what a command
// prints instead.
package explain
