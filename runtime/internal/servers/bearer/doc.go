// Package bearer finds the tokens file of a command, and the token of its caller. The commands share it, so that --tokens,
// --token-file and AGENTC_TOKEN mean the same to all of them.
package bearer
