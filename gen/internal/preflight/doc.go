// Package preflight lists what a run needs before anything is spent, and what of it is missing.
//
// Input: an [ir.Program] without mistakes, the agents with which runs begin, and a [Machine], which says what the environment and the
// file system have. Output: a [Need] for each model, key, variable, tool, host, folder and server that the agents reach, in this order,
// each with what is missing and the line that adds it; and a [Model] for each role and each model that an agent names. The values of variables are never part of it.
//
// Nothing is started and no network is used. The engine checks the same things once more where a run begins, with the models open.
package preflight
