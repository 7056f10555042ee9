// Package signaling brings signals to the machines of runs. [Signals] knows the machines that
// listen, and a [Receiver] keeps the signals of a run until a machine of it asks for one.
package signaling
