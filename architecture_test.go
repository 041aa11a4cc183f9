package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the pages that people write, from the root of the tree.
func documents(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "ARCHITECTURE.md", "GLOSSARY.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("got the pages %v, %v", pages, err)
	}
	return append(list, pages...)
}

var markdownLink = regexp.MustCompile(`\[([^][]*)\]\(([^)\s]+)\)`)

// A pageLink is a link of a page to the tree.
type pageLink struct{ text, file, anchor string }

// linksOf are the links of a page that lead into the tree.
func linksOf(page, text string) (list []pageLink) {
	for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[2], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(m[2], "#")
		if file == "" {
			file = path.Base(page)
		}
		list = append(list, pageLink{m[1], path.Join(path.Dir(page), file), anchor})
	}
	return list
}

var heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)

// anchors are those that GitHub gives the headings of a page.
func anchors(text string) map[string]bool {
	list := make(map[string]bool)
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list[strings.ReplaceAll(name, " ", "-")] = true
	}
	return list
}

// missingIn says what is wrong with a link: its file is not there, or has no such heading, or, if
// its text is a name in code font, does not say that name.
func (l pageLink) missingIn() string {
	info, err := os.Stat(l.file)
	if err != nil {
		return "which does not exist"
	}
	if info.IsDir() {
		return ""
	}
	text, err := os.ReadFile(l.file)
	if err != nil {
		return err.Error()
	}
	if l.anchor != "" && strings.HasSuffix(l.file, ".md") && !anchors(string(text))[l.anchor] {
		return "which has no heading #" + l.anchor
	}
	name, ok := strings.CutPrefix(l.text, "`")
	if !ok || !strings.HasSuffix(l.file, ".go") {
		return ""
	}
	name = strings.TrimSuffix(name, "`")
	name = name[strings.LastIndex(name, ".")+1:]
	if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).Match(text) {
		return "which does not have that name"
	}
	return ""
}

// TestLinks: the links of pages lead to what is there, and to the names that they say.
func TestLinks(t *testing.T) {
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range linksOf(page, string(text)) {
			if wrong := l.missingIn(); wrong != "" {
				t.Errorf("%s: [%s] leads to %s, %s", page, l.text, l.file, wrong)
			}
		}
	}
	for _, l := range []pageLink{{"a", "nowhere.go", ""}, {"`Machine.fly`", "starlib/vm/run.go", ""}, {"a", "DESIGN.md", "why"}} {
		if l.missingIn() == "" {
			t.Errorf("nothing is wrong with %v: the test cannot fail", l)
		}
	}
}

// TestArchitecture: the page has every package once, every pass in its order, and the limits as the
// code has them.
func TestArchitecture(t *testing.T) {
	src, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	times := make(map[string]int)
	for _, l := range linksOf("ARCHITECTURE.md", text[strings.Index(text, "## The packages"):]) {
		times[strings.TrimPrefix(l.file, ".")]++
	}
	there := packages(t)
	for room := range there {
		if times[room] != 1 {
			t.Errorf("ARCHITECTURE.md has the package %q %d times, want 1: it belongs into the list at its end", room, times[room])
		}
	}
	for room := range times {
		if _, ok := there[room]; !ok {
			t.Errorf("ARCHITECTURE.md lists %q, which is no package", room)
		}
	}

	passes, err := os.ReadFile("runtime/compile/passes.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^\t\{name: "(\w+)"`).FindAllStringSubmatch(string(passes), -1) {
		want = append(want, m[1])
	}
	_, table, _ := strings.Cut(text, "| pass |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \|`).FindAllStringSubmatch(table, -1) {
		got = append(got, m[1])
	}
	if len(want) < 20 || !slices.Equal(got, want) {
		t.Errorf("ARCHITECTURE.md has the passes\n%v\nthe compiler\n%v", got, want)
	}

	limits := regexp.MustCompile("(?m)^\\| \\[`(\\w+)`\\]\\((\\S+)\\) \\| ([^|]+) \\|").FindAllStringSubmatch(text, -1)
	for _, m := range limits {
		file, err := os.ReadFile(m[2])
		if err != nil {
			t.Fatal(err)
		}
		value := regexp.MustCompile(`\b` + m[1] + ` *= *(.*)`).FindStringSubmatch(string(file))
		if value == nil || !strings.HasPrefix(value[1]+" ", m[3]+" ") {
			t.Errorf("ARCHITECTURE.md says that %s is %s, %s says %q", m[1], m[3], m[2], value)
		}
	}
	if len(limits) < 12 {
		t.Errorf("found %d limits of memory reuse in ARCHITECTURE.md, want a dozen", len(limits))
	}
}
