// Package hub is the server that workers and those who give them tasks meet at: NATS with
// JetStream, which stores in a folder, refuses connections without a token, and is on the loopback
// interface unless told otherwise. It is linked into the program arignote-hub alone: the server is
// as large as a third of the notebook's program.
//
//	Options  where it listens and stores
//	Start    starts it
//	Hub      runs until Stop
package hub
