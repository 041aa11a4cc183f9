// Package slot is how a running program holds values: unboxed in slots, and in lists, dicts and
// sets of slots. It knows no more of the language than what Python says of these types; what is
// said elsewhere, such as how an instance of a class compares, is asked of Hooks.
//
//	Slot   a value: an int or float as itself, others by reference
//	List   a list, by index
//	Dict   a hash table in the order in which keys came in
//	Set    the same without values
//	Walk   a way through a dict or set that notices changes of size
//	Hooks  what the room above knows of other values
//
// The containers have the methods of starlark.List, starlark.Dict and starlark.Set for Go, so
// that they can take their places, and beside them methods that take and give slots, for the
// machine. Begin with table.go, which says how the hash tables work.
package slot
