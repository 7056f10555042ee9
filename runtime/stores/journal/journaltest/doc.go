// Package journaltest is the conformance suite for stores of journals. A test of your own store calls it:
//
//	func TestMyStore(t *testing.T) {
//		journaltest.Run(t, func(t *testing.T) journal.Store { return mystore.New(t.TempDir()) })
//	}
//
// [Run] tests what [journal.Store] and [journal.File] promise: written data is read back, a run has one owner, names,
// messages, cancelled contexts, readers beside writers, and whole journals. From inside one process it cannot test
// whether Sync reaches the disk, nor whether another process is kept from owning a run.
package journaltest
