package rt

// GateStep is what gates of tests return.
type GateStep = gateStep

// AskGuard is what asks guards where there is no engine.
var AskGuard = askGuard
