package core

import "github.com/agentc-dev/agentc/runtime"

// Questions returns what a paused run waits for, in the order of its branches. Without a question, or with any error that is
// no pause, a run is not paused: then there are none.
func Questions(err error) []runtime.Question {
	switch err := err.(type) {
	case *runtime.PausedError:
		return []runtime.Question{err.Question}
	case *recordedError:
		var paused *runtime.PausedError
		if err.As(&paused) {
			return []runtime.Question{paused.Question}
		}
	case interface{ Unwrap() []error }:
		var all []runtime.Question
		for _, one := range err.Unwrap() {
			questions := Questions(one)
			if questions == nil {
				return nil
			}
			all = append(all, questions...)
		}

		return all
	case interface{ Unwrap() error }:
		return Questions(err.Unwrap())
	}

	return nil
}
