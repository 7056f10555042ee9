// Package bearer finds the tokens of the commands that serve, and says which addresses may be opened without any. The commands
// share it, so that --tokens means the same to all of them.
package bearer
