package postgres_test

import "testing"

func TestOneOfTwoServersIsKilled(t *testing.T) {
	times := 100
	if testing.Short() {
		times = 4
	}
	kind.Kill(t, times)
}
