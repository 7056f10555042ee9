// Package journal stores what runs have done, so that another process can resume them. A [Store] keeps the journals
// of runs, a [Writer] appends records to one, and [Read] and [Open] read it back. [Files] and [Memory] are the stores
// of this package; packages sqlite and postgres have others. The README of this package describes the format, field
// by field.
//
// A run has one owner at a time. Records are written in blocks, each of which is on disk before the next is written.
// So a crash can only tear the last block, which is cut off and reported. Damage anywhere else is a [DamagedError].
package journal
