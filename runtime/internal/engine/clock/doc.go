// Package clock has the clocks of runs: the system's, and those on which a sleep does not wait.
package clock
