// Package peers does the work of the measuring programs with eino and DBOS, which agentc is compared
// with. It is a module of its own, so that their requirements are those of no other module.
package peers
