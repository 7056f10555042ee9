package otel

import (
	"testing"
	"time"
)

// HurryUp has the end of a process wait little for a collector.
func HurryUp(t *testing.T) {
	was := patience
	patience = 300 * time.Millisecond
	t.Cleanup(func() { patience = was })
}
