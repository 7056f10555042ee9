// Agentc-vet finds mistakes in Go code that uses what agentc generated. The go command runs it:
//
//	go vet -vettool=$(which agentc-vet) ./...        report
//	go vet -vettool=$(which agentc-vet) -fix ./...   apply suggested fixes
//
// It has six analyzers:
//
//	finalkey        a comparison of the key with which an agent finished with a text that is none of its keys
//	keytext         the text of a key where the key has a constant
//	norow           a call of Next with a state and a key that have no row
//	notimplemented  a method of Tools, Guards or Funcs that still returns runtime.ErrNotImplemented
//	routingerror    an ignored error of a run or of a name that no machine has, an ignored ok of Next
//	stateswitch     a switch over states or keys that forgets one, and has no default
//
// agentc-vet help NAME prints what one reports and why. A flag -NAME runs that analyzer alone,
// -NAME=false all others.
//
// Generated files are not reported on. The analyzers are values of package gen/vet.
package main
