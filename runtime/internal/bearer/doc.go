// Package bearer says who may call a server over HTTP: the holders of bearer tokens and, where there are none, this machine's own
// programs. The commands that serve share it, so that a file of tokens means the same to all of them.
package bearer
