package postgres

// Durable is what each connection begins with.
var Durable = durable
