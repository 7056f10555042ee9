// Package engine runs compiled programs in this process.
//
//	eng := engine.New(engine.Options{Store: journal.Files("runs"), Observers: []event.Observer{log}})
//	fin, err := app.Run(ctx, eng, "the task")
//
// Without a Store nothing is written down, and a run that ends is gone; with it each run has a journal, from
// which Resume continues after a crash, a pause or a failure. Models are resolved from what agents say, the
// environment and the configuration (see README.md) before anything runs, so that a missing provider or variable
// costs nothing. Memory tools work and live as long as the run; the other built-in tools are those that the program
// has turned on, and parts of it may bring more.
//
// With a Script, or a model script:FILE, a script answers instead of models; package simulate has its grammar.
package engine
