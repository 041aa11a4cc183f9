package starlib

import "github.com/arignote/arignote/starlib/pylib"

// LanguageInfo is what front ends want to know of the language. Its highlighting is Python's, which
// they all have, and so is its version.
func (s *Session) LanguageInfo() map[string]any {
	return map[string]any{
		"name": "starlark", "version": pylib.Version, "mimetype": "text/x-python", "file_extension": ".star",
		"pygments_lexer": "python", "codemirror_mode": map[string]any{"name": "python", "version": 3},
		"nbconvert_exporter": "script",
	}
}
