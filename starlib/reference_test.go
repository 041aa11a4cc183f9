package starlib

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/parse"
)

// reference is reference.md, made from the documentation.
func reference(sections []assist.Section) string {
	var b strings.Builder
	b.WriteString("# What a cell may say\n\n" +
		"Everything that is predeclared, made from the tables that `help()`, `x?` and completion read, " +
		"by `go test ./starlib -run TestReference -update`. What follows a `>>>` line is what it shows.\n\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s) (%d)\n", s.Title, anchor(s.Title), len(s.Entries))
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		if s.Doc != "" {
			b.WriteString("\n" + s.Doc + "\n")
		}
		if names := strings.Fields(s.Missing); len(names) > 0 {
			fmt.Fprintf(&b, "\nNot in Arignote yet: `%s`.\n", strings.Join(names, "`, `"))
		}
		if s.Brief {
			b.WriteString("\n")
		}
		for _, e := range s.Entries {
			if s.Brief {
				b.WriteString(lineOf(e))
			} else {
				b.WriteString(markdownOf(e))
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
		case r == '-' || parse.IsNameRune(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lineOf is an entry of a brief section.
func lineOf(e assist.Entry) string {
	doc := strings.ReplaceAll(e.Doc, "\n", " ")
	if code, result, ok := strings.Cut(e.Example, " # "); ok && !strings.Contains(e.Example, "\n") && code != e.Name {
		doc += " `" + code + "` is `" + result + "`."
	}
	return fmt.Sprintf("- `%s`: %s\n", e.Heading(), doc)
}

func markdownOf(e assist.Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", strings.ReplaceAll(e.Heading(), "\n", "` or `"), e.Doc)
	var params []string
	for _, p := range e.Params {
		if p.Doc != "" {
			params = append(params, fmt.Sprintf("- `%s`: %s", p.Name, p.Doc))
		}
	}
	if len(params) > 0 {
		b.WriteString("\n" + strings.Join(params, "\n") + "\n")
	}
	if e.Example != "" {
		code, result, _ := strings.Cut(e.Example, " # ")
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
	want := reference(assist.In(NewSession(Options{Dir: t.TempDir()}).Session).Documentation())
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

// updating says whether files made from tables are to be rewritten; the flag is that of all goldens here.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }
