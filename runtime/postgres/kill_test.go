package postgres_test

import "testing"

func TestOneOfTwoServersIsKilled(t *testing.T) {
	times := 100
	if testing.Short() {
		times = 4
	}
	kind.Kill(t, times)
}

func TestAnswersOutliveTheirServer(t *testing.T) {
	times := 100
	if testing.Short() {
		times = 4
	}
	kind.KillAfterAnswer(t, times)
}

func TestAnswersAtTheSameTime(t *testing.T) {
	runs := 50
	if testing.Short() {
		runs = 3
	}
	kind.AnswerTogether(t, runs)
}
