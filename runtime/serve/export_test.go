package serve

// What the tests of this package's behaviour read of it.

const DefaultMaxRecoveries = maxRecoveries

var Description = describe
