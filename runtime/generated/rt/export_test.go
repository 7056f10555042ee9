package rt

// GateStep is what gates of tests return.
type GateStep = gateStep

// Started is a gate of a test that has begun.
type Started struct{ Gate gate }

func (s Started) start() gate { return s.Gate }
