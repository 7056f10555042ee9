// Package preflight lists what a run needs before anything is spent, and what of it is missing.
//
// Input: an [ir.Program], which may have mistakes, the agents with which runs begin, and a
// [Machine], which says what the environment, the file system, the servers and the store have.
// Output: a [Need] for each model, key, address, variable, tool, host, folder, server and store
// that the agents reach, in this order, each with what is missing and the line that adds it; and a
// [Model] for each role and each model that an agent names. The values of variables are never part
// of it.
//
// The package itself starts nothing and uses no network. The engine checks the same things where a
// run begins, with the models open.
package preflight
