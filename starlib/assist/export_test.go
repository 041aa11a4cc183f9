package assist

// What the tests of this package ask for from outside, since they need sessions of package starlib.
var (
	ExtendedSyntax = extendedSyntax
	TableOf        = tableOf
)
