package assist

// What the tests of this package ask for from outside, since they need sessions of package starlib.
var (
	ExtendedSyntax = extendedSyntax
	MatchHint      = matchHint
	TableOf        = tableOf
)

// HintPatterns are the patterns of the hints.
func HintPatterns() []string {
	patterns := make([]string, len(hints))
	for i, h := range hints {
		patterns[i] = h.pattern
	}
	return patterns
}
