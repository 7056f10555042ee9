// Package rt is called by generated code: it has the loops of agents, the memory of running
// machines, gates, sets of allowed keys, groups, and the decoding and encoding of JSON values. Code
// that people write uses package runtime instead.
//
// Only [MinVersion] and [MaxVersion] are stable. Generated code compares them with its own version
// when it is compiled (see [EnforceVersion]); after an update of agentc, generate the code again.
package rt
