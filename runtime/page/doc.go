// Package page shows runs on a page for a browser: the diagram with the path that was taken, a waterfall of effects, each request to a
// model and what changed in it, questions, context and costs, and two runs compared.
//
// Input: the records of journals, and of a program its pictures and what models were asked. Output: one HTML file that needs no
// network. What models, tools and people wrote is data in it: it is encoded as JSON, shown by textContent, and a content security
// policy allows no script but the page's own. Without scripts a browser shows the text of `runs show`.
//
// The page's own code is in the folder web, a module of its own; page.js and page.css are made of it by `go generate`.
package page
