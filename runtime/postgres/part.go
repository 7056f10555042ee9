package postgres

import "github.com/agentc-dev/agentc/runtime/stores/journal"

// Part is the store as a part of a program: generated code names it for store: postgres:....
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return scheme }

// OpenStore opens the store of an address; package app calls it.
func (Part) OpenStore(address string) (journal.Store, error) { return Open(address) }
