package sqlite

import "github.com/agentc-dev/agentc/runtime/journal"

// Part is what a project with a line store: sqlite:... names in its program.
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return Scheme }

// OpenStore is how package app opens a store of the address.
func (Part) OpenStore(address string) (journal.Store, error) { return Open(address) }
