// Package otel reports the runs of a program to an OpenTelemetry collector: a trace for each run, whose spans have
// the names of the GenAI conventions, and metrics. A binary contains it if its project has the line include: [otel],
// and it sends data only if the standard environment variables name a destination; the README of this package lists
// them.
//
// The engine calls it as a [core.RunObserver]; it sends OTLP over HTTP or gRPC. A run has one trace, and the id of
// each span follows from the run and the address in it, so that a process that resumes a run continues its trace. A
// collector that is slow or unreachable never delays a run: what the queue cannot hold is dropped, and the amount is
// reported when the process ends.
package otel
