// Package addr has the addresses of effects: dot paths such as 7.0.1, the first effect of branch 0
// of the group that is effect 7.
package addr
