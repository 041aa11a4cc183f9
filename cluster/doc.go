// Package cluster runs tasks on workers that are connected by a hub, a NATS server with JetStream.
// It knows no language: programs, inputs and results are bytes, and a Runner makes results of them.
// Queue, storage, redelivery and transport are JetStream's.
//
//	Conn     a connection to a hub; blobs by their content (connect.go, blobs.go)
//	Job      tasks that were given to the hub, and their results, in order (job.go)
//	Worker   takes tasks, has a Runner run them, stores results (worker.go)
//	Fleet    which workers there are, and what waits (fleet.go)
//	Local    a hub and workers as child processes (local.go)
//
// What the hub holds (names.go):
//
//	stream ARIGNOTE_TASKS     a work queue: task.<kind>.<job>.<n>; a task is acknowledged after
//	                          its result is stored
//	stream ARIGNOTE_RESULTS   one message for each task: result.<job>.<n>
//	bucket arignote_programs  objects: what tasks run, by SHA-256
//	bucket arignote_values    objects: inputs and results that fill no message
//	bucket arignote_workers   keys that expire: the workers that are there
//	bucket arignote_begun     keys: how often a task was begun again
//
// A result is published with the demand that its subject has none yet, so that each task has one
// result, however often it ran; the tests of jetstream_test.go hold the server to that.
package cluster
