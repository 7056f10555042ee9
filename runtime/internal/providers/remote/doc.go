// Package remote is the common part of the providers whose models answer over the network. It knows
// where a model is asked and with which key, how long a call and how large a reply may be, what a
// server's refusals mean, and how keys are kept out of all messages.
//
// An [Endpoint] is such a model without the format that its server speaks. Its errors are [*Refusal], for what a server says instead
// of a reply, and [*Broken], for an exchange that reached no end; [Endpoint.Failure] makes the *model.Error of either.
package remote
