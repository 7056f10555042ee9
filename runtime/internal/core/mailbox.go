package core

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// message is what another process leaves for the owner of a run.
type message struct {
	// Cancel asks for the end of the run, for a reason.
	Cancel string `json:"cancel"`
}

// listen looks for messages from time to time, since an effect may take long. The function that is returned ends that.
func (r *run) listen() (end func()) {
	stop := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(1)
	go func() {
		defer ended.Done()
		ticker := time.NewTicker(r.engine.poll)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				r.mail()
			}
		}
	}()

	return func() {
		close(stop)
		ended.Wait()
	}
}

// mail does what messages say that were left for the run. A store that cannot tell of them does not end the run: it goes on as if
// none had come, and if it cannot record either, it ends by that.
func (r *run) mail() {
	messages, _ := r.tape.w.Messages()
	for _, text := range messages {
		var m message
		if json.Unmarshal(text, &m) == nil && m.Cancel != "" {
			r.interrupt(m.Cancel)
		}
	}
}

// interrupt ends the run: by the signal stop, where a machine that runs has a rule for it, else as Config.Stop does, else at once.
func (r *run) interrupt(reason string) {
	if s := r.hears(); s != nil && s.offer(signals.Signal{Kind: signals.Stop}, r) {
		return
	}
	cause := &runtime.CancelledError{Reason: reason}
	if stop := r.engine.config.Stop; stop != nil {
		stop(r.id, cause)

		return
	}
	r.cancel(cause)
}
