package starlib

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// reference is reference.md, made from the documentation.
func reference(sections []section) string {
	var b strings.Builder
	b.WriteString("# What a cell may say\n\n" +
		"Everything that is predeclared, made from the tables that `help()`, `x?` and completion read, " +
		"by `go test ./starlib -run TestReference -update`. What follows a `>>>` line is what it shows.\n\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s) (%d)\n", s.title, anchor(s.title), len(s.entries))
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		if s.doc != "" {
			b.WriteString("\n" + s.doc + "\n")
		}
		if len(s.missing) > 0 {
			fmt.Fprintf(&b, "\nNot in Arignote yet: `%s`.\n", strings.Join(s.missing, "`, `"))
		}
		if s.brief {
			b.WriteString("\n")
		}
		for _, e := range s.entries {
			if s.brief {
				b.WriteString(e.line())
			} else {
				b.WriteString(e.markdown())
			}
		}
	}
	return b.String()
}

// anchor is the link that GitHub makes of a heading.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteRune('-')
		case r == '-' || isNameRune(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// line is an entry of a brief section.
func (e entry) line() string {
	doc := strings.ReplaceAll(e.doc, "\n", " ")
	if code, result, ok := strings.Cut(e.example, " # "); ok && !strings.Contains(e.example, "\n") && code != e.name {
		doc += " `" + code + "` is `" + result + "`."
	}
	return fmt.Sprintf("- `%s`: %s\n", e.heading(), doc)
}

func (e entry) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", strings.ReplaceAll(e.heading(), "\n", "` or `"), e.doc)
	var params []string
	for _, p := range e.params {
		if p.Doc != "" {
			params = append(params, fmt.Sprintf("- `%s`: %s", p.Name, p.Doc))
		}
	}
	if len(params) > 0 {
		b.WriteString("\n" + strings.Join(params, "\n") + "\n")
	}
	if e.example != "" {
		code, result, _ := strings.Cut(e.example, " # ")
		fmt.Fprintf(&b, "\n```python\n>>> %s\n", strings.ReplaceAll(code, "\n", "\n>>> "))
		if result != "" {
			b.WriteString(result + "\n")
		}
		b.WriteString("```\n")
	}
	return b.String()
}

// TestReference compares reference.md with the documentation.
func TestReference(t *testing.T) {
	want := reference(NewSession(Options{Dir: t.TempDir()}).documentation())
	if updating() {
		if err := os.WriteFile("reference.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("reference.md is old: go test ./starlib -run TestReference -update")
	}
}
