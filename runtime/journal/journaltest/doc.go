// Package journaltest is the conformance suite of stores for journals.
//
//	func TestMyStore(t *testing.T) {
//		journaltest.Run(t, func(t *testing.T) journal.Store { return mystore.New(t.TempDir()) })
//	}
//
// [Run] holds a store against what [journal.Store] and [journal.File] say: what is written is read, one owner a run, names,
// messages, cancelled contexts, readers beside writers, and whole journals on top. What it cannot see from inside of a process is
// whether Sync reaches the disk, and whether another process is kept out.
package journaltest
