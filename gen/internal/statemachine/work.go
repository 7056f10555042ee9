package statemachine

// The kinds of steps.
const (
	kindStep        = "step"
	kindMachine     = "StateMachine"
	kindConditional = "conditional"
	kindLoop        = "loop"
	kindMap         = "map"
	kindParallel    = "parallel"
	kindHitl        = "hitl"
)

// kind is what the step does.
func (s *step) kind() string {
	if kind, ok := s.node.Value("kind").Scalar(); ok {
		return kind
	}

	return kindStep
}

// work lowers what the step does, and says what is known of its output. A kind that is none has been reported.
func (s *step) work() {
	switch s.kind() {
	case kindStep:
		s.call()
	case kindMachine:
		s.stateMachine()
	case kindConditional:
		s.conditional()
	case kindLoop:
		s.loop()
	case kindMap:
		s.each()
	case kindParallel:
		s.fork()
	case kindHitl:
		s.hitl()
	}
	if s.task.Do == nil {
		s.document.faulty = true
	}
}
