// Package specials has the special methods of the language's own values: [1].__len__ and
// (3).__add__. Each is a function of the language or of its module operator, called with the value
// first; a table says which types have which, as in CPython and NumPy.
package specials
