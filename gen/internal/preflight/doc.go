// Package preflight lists what a run needs, and what is missing, before anything is spent.
//
// Input: an [ir.Program], which may have mistakes, the agents with which runs begin, and a
// [Machine], which describes the environment, the file system, the servers and the store. Output: a
// [Need] for each model, key, address, variable, tool, host, folder, server and store that the
// agents reach, in this order, each with what is missing and the line that adds it; and a [Model]
// for each role and each model that an agent names. The output never contains values of variables.
//
// The package itself starts nothing and uses no network. The engine checks the same when a run
// begins, with open models.
package preflight
