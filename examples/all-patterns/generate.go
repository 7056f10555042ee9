// Package allpatterns is a newsroom that announces a release. Every pattern has its place in it.
package allpatterns

//go:generate go tool agentc generate .
