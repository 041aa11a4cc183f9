package starlib

import "runtime/debug"

// LanguageInfo is what front ends want to know of the language. Its highlighting is Python's, which
// they all have.
func (s *Session) LanguageInfo() map[string]any {
	return map[string]any{
		"name": "starlark", "version": languageVersion(), "mimetype": "text/x-python", "file_extension": ".star",
		"pygments_lexer": "python", "codemirror_mode": map[string]any{"name": "python", "version": 3},
		"nbconvert_exporter": "script",
	}
}

// languageVersion is that of go.starlark.net.
func languageVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "go.starlark.net" {
				return m.Version
			}
		}
	}
	return "unknown"
}
