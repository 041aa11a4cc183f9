// Package object has the classes of Python: what class, raise and try become when they run.
//
//	Class      a class: its members, bases, and the order in which they are searched
//	Instance   an instance; exceptions are instances of classes below BaseException
//	Raised     the error that a raised exception is
//	Tree       the classes of exceptions that the language has, and what messages they stand for
//	Table      the functions about classes: super, property, isinstance's company
//
// A running program asks a value what it can do by Go interfaces, and an Instance has all of them:
// what its class has not is a TypeError when it is asked for. Some of these methods can give no
// error, and none gets a thread; so instances know their Host, which makes the running statement
// fail.
package object
