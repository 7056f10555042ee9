package postgres

// Durable is what each connection begins with.
var Durable = ensureDurable

// IsLost reports whether an error means that the connection is lost.
var IsLost = isLost
