package sqlite_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/sqlstore/sqlstoretest"
)

func TestMain(m *testing.M) {
	if sqlstoretest.IsServer() {
		fmt.Fprintln(os.Stderr, kind.Serve())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

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
