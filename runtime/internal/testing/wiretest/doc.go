// Package wiretest has servers on loopback that behave or misbehave as a test says, whatever format they speak: they answer each
// request with the next of their answers, and keep the requests.
//
// An [Answer] writes a response. Those that a format needs are made with [Body] and [Events]; [Cut], [Drip], [Stall] and [Tail] let
// any answer go wrong on its way, and others go wrong by themselves: [Page], [Redirect], [Mute], [Flood], [Raw].
package wiretest
