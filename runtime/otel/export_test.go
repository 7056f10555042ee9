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

// ServiceVersion is what service.version is of a binary.
var ServiceVersion = serviceVersion
