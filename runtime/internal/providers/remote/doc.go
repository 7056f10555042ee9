// Package remote is what providers have in common whose models answer over the network: where a model is asked and with which key,
// how long a call and how large a reply may be, what a server's refusals mean, and what keeps keys out of all that is said.
//
// An [Endpoint] is such a model without the format that its server speaks. Its errors are [*Refusal], for what a server says instead
// of a reply, and [*Broken], for an exchange that reached no end; [Endpoint.Failure] makes the *model.Error of either.
package remote
