package runtime

// Watcher is what an [Effects] may also be: one that can say that nobody observes. Orchestration then builds no events. An
// Effects that is no Watcher is taken as watched.
type Watcher interface {
	Watched() bool
}
