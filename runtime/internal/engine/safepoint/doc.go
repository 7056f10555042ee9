// Package safepoint ends a run between two effects: those that are under way reach their end and are recorded, and the next
// ones wait until the run is cancelled. A run that only sleeps, or waits for a person, is cancelled at once.
package safepoint
