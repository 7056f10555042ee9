package runtime

import (
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Is reports whether the agent finished with key, both folded.
func (f Finish) Is(key string) bool { return f.Key == key || wording.Fold(f.Key) == wording.Fold(key) }
