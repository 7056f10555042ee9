// Package rt is what generated code calls: the loops of agents, the memory of a machine that runs, gates, places, groups, and the readers
// and writers of JSON values.
//
// It is for the files that agentc writes and for the engines beside it. Nothing in it is promised to other code but [MinVersion] and
// [MaxVersion], which generated code compares with its own version when it is compiled (see [EnforceVersion]): with a newer agentc,
// generate again. What people use is in package runtime.
package rt
