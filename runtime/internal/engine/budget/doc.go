// Package budget counts what runs, agents and steps spend, and ends what has no budget left. A
// [Scope] has the budgets of a branch. Budgets that enclose one another share a mutex, so branches
// may spend from them at the same time.
package budget
