// Package otel tells an OpenTelemetry collector of the runs of a program: a trace of each run, whose spans have the names of the GenAI
// conventions, and metrics. A binary carries it if its project has the line include: [otel], and sends something only where the standard
// variables say to where; README.md lists them.
//
// Input: what the engine shows to a [core.RunObserver]. Output: OTLP over HTTP or gRPC. A run has one trace, and each of its spans an
// id that follows from the run and the place in it, so that a process which goes on with a run goes on with its trace. A collector that is
// slow or away never holds a run up: what the queue cannot hold is dropped, and how much that was is told when the process ends.
package otel
