// Package sqlstore keeps the journals of runs in a database of database/sql, such as the ones of
// packages sqlite and postgres.
//
// A run is a row of agentc_runs, its journal the rows of agentc_blocks, one for each flush, and its messages are rows of
// agentc_messages. An owner holds a lease, which it renews while it lives; a process that knows that the owner is dead does not wait
// for the end of the lease. Each lease has a number, the fence, and every write is one
// statement or transaction that takes place only if the fence of the run is still that of the writer: an owner that was away too long
// cannot write into a run that another one has taken over. Numbers are drawn, and each write has the same effect when it takes place
// twice, so that it can be repeated when a connection was lost and it is not known what has become of it.
package sqlstore
