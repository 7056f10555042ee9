// Package httpclient starts, lists, reads, answers and cancels the runs of a server that is reached over HTTP: what
// APP serve serves, or the handler of a serve.Server.
package httpclient
