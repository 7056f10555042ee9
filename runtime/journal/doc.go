// Package journal keeps what a run has done, so that another process can go on with it: a [Store] says where journals lie, a
// [Writer] appends records to one, and [Read] and [Open] read it back. It knows bytes and records, and nothing of what runs;
// README.md beside it is the format, field by field.
//
// A run has one owner. Records are written in blocks, one at a time, each on the disk before the next: so after a crash only
// the last block can be torn, and it is cut off and reported. Damage anywhere else is a [DamagedError].
package journal
