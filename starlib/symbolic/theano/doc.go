// Package theano is the modules that are made of the tables of several rooms: T, theano.gradient,
// theano.gof, and those whose members homes.go of package symbolic lists.
//
// What the functions in them do is elsewhere, but for verify_grad and numeric_grad (verifygrad.go)
// and theano.tests.
package theano
