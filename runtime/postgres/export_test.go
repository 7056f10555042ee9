package postgres

// Durable is what each connection begins with.
var Durable = durable

// IsLost reports whether an error means that the connection is lost.
var IsLost = isLost
