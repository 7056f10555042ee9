package runtime

// Watcher is what an [Effects] may also be: one that can say that nobody observes. Orchestration then builds no events. An
// Effects that is no Watcher is taken as watched.
type Watcher interface {
	Watched() bool
}

func watched(fx Effects) bool {
	w, ok := fx.(Watcher)

	return !ok || w.Watched()
}

// noteError tells the observer of the error with which an agent ends. A pause is no error: the engine notes it.
func noteError(fx Effects, agent string, err error) {
	if !watched(fx) || as[*PausedError](err) {
		return
	}
	fx.Note(Event{Kind: EventError, Agent: agent, Type: ErrorType(err), Problem: err.Error()})
}

// noteFinish tells the observer of an agent's result.
func noteFinish(fx Effects, agent string, fin Finish) {
	if !watched(fx) {
		return
	}
	fx.Note(Event{Kind: EventFinish, Agent: agent, Key: fin.Key, Value: fin.Value, JSON: fin.JSON, Synthetic: fin.Synthetic})
}
