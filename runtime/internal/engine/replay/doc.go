// Package replay reads what earlier processes have recorded of a run. A [History] has an [Effect]
// for each address. A [Branch] is how far a branch of the resumed run has been replayed.
package replay
