// Package page renders runs as a page for a browser: the diagram with the path of the run, a waterfall of effects,
// each request to a model and what changed in it, questions, context and costs, and a comparison of two runs.
//
// It reads the records of journals and, from the program, its diagrams and the requests to models, and writes one
// HTML file that needs no network. Texts of models, tools and people are data in it: they are encoded as JSON and
// shown by textContent, and a content security policy allows no script but the page's own. Without scripts a browser
// shows the text of `runs show`.
//
// The source of the page is in the folder web, a module of its own; `go generate` builds page.js and page.css from
// it.
package page
