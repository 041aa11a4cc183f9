package profilertest

import (
	"regexp"
	"strings"
	"testing"
)

// kept are the elements and attributes that the front ends leave in an untrusted notebook.
var (
	kept = map[string]bool{"details": true, "summary": true, "div": true, "b": true, "p": true, "table": true, "tr": true,
		"th": true, "td": true, "pre": true, "small": true, "span": true, "img": true, "wbr": true}
	keptAttributes = map[string]bool{"open": true, "style": true, "title": true, "align": true, "valign": true, "scope": true,
		"cellpadding": true, "width": true, "height": true, "colspan": true, "src": true, "alt": true}
	tag       = regexp.MustCompile(`<(/?)([a-zA-Z!][a-zA-Z0-9]*)((?:[^>"]|"[^"]*")*)>`)
	attribute = regexp.MustCompile(`([a-zA-Z-]+)(?:="([^"]*)")?`)
)

// Survives checks that nothing of a page would be dropped, that elements nest and that it is small.
func Survives(t *testing.T, page string) {
	t.Helper()
	if len(page) > 100_000 {
		t.Errorf("the page has %d bytes, want at most 100000", len(page))
	}
	for _, bad := range []string{"ZgotmplZ", "NaN", "Inf", "var(--", "javascript:", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	var open []string
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		name := m[2]
		if !kept[name] {
			t.Errorf("element %s would be dropped", name)
		}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			if !keptAttributes[a[1]] {
				t.Errorf("attribute %s of %s would be dropped", a[1], name)
			}
			if a[1] == "src" && !strings.HasPrefix(a[2], "data:image/svg&#43;xml;base64,") {
				t.Errorf("a picture from elsewhere: %s", a[2])
			}
			if a[1] == "style" && regexp.MustCompile(`(^|;)(color|background-color):`).MatchString(a[2]) {
				t.Errorf("a fixed colour is unreadable on some page: %s", a[2])
			}
		}
		if m[1] == "" {
			if name == "img" || name == "wbr" {
				continue
			}
			open = append(open, name)
			continue
		}
		if len(open) == 0 || open[len(open)-1] != name {
			t.Fatalf("</%s> does not close %v", name, open)
		}
		open = open[:len(open)-1]
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
}
