package page

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/arignote/arignote/notebook"
)

//go:embed style.css
var style string

var heading = regexp.MustCompile(`(?m)^# +(.+?)[ #]*$`)

// HTML is the page of a notebook. Its title is the first heading, if there is one, or name. HTML
// of outputs and of text stands in it as it is.
func HTML(nb *notebook.Notebook, name string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<main>
`, html.EscapeString(titleOf(nb, name)), style)
	for _, c := range nb.Cells {
		writeCell(&b, c)
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return []byte(b.String())
}

func titleOf(nb *notebook.Notebook, name string) string {
	for _, c := range nb.Cells {
		if m := heading.FindStringSubmatch(c.Source); m != nil && c.Kind == notebook.Markdown && name == "" {
			return m[1]
		}
	}
	if name == "" {
		return "Notebook"
	}
	return name
}

func writeCell(b *strings.Builder, c *notebook.Cell) {
	fmt.Fprintf(b, `<section class="%s"`, c.Kind)
	if c.ID != "" {
		fmt.Fprintf(b, ` id="cell-%s"`, html.EscapeString(c.ID))
	}
	b.WriteString(">\n")
	switch c.Kind {
	case notebook.Markdown:
		b.WriteString(markdown(c.Source, attachments(c)))
	case notebook.Raw:
		if mime, _ := c.Metadata.Text("raw_mimetype"); mime == "text/html" {
			b.WriteString(c.Source)
		} else {
			pre(b, "", html.EscapeString(c.Source))
		}
	default:
		if c.Source != "" {
			prompt(b, "In", c.Count)
			pre(b, "source", html.EscapeString(c.Source))
		}
		for _, o := range c.Outputs {
			writeOutput(b, o)
		}
	}
	b.WriteString("</section>\n")
}

func prompt(b *strings.Builder, name, count string) {
	if count == "" {
		count = "&nbsp;"
	}
	fmt.Fprintf(b, "<div class=\"prompt\">%s&nbsp;[%s]:</div>\n", name, count)
}

// pre writes text that is HTML already. The line feed that browsers drop comes before it.
func pre(b *strings.Builder, class, text string) {
	fmt.Fprintf(b, "<pre class=\"%s\">\n%s</pre>\n", class, text)
}

func writeOutput(b *strings.Builder, o *notebook.Output) {
	switch o.Type {
	case "stream":
		pre(b, o.Name, terminal(o.Text))
	case "error":
		text := strings.Join(o.Traceback, "\n")
		if text == "" {
			text = o.Class + ": " + o.Message
		}
		pre(b, "error", terminal(text))
	default:
		if o.Type == "execute_result" {
			prompt(b, "Out", o.Count)
		}
		b.WriteString("<div class=\"shown\">\n")
		b.WriteString(bundle(o.Data, o.Metadata))
		b.WriteString("</div>\n")
	}
}

// forms are what a page shows of a bundle, the first that it has.
var forms = []struct {
	mime string
	show func(text, mime string, about notebook.Object) string
}{
	{"text/html", func(text, _ string, _ notebook.Object) string { return text + "\n" }},
	{"image/svg+xml", image},
	{"image/png", image},
	{"image/jpeg", image},
	{"image/gif", image},
	{"image/webp", image},
	{"text/markdown", func(text, _ string, _ notebook.Object) string { return markdown(text, nil) }},
	{"text/latex", plain},
	{"text/plain", plain},
}

func bundle(data, metadata notebook.Object) string {
	for _, f := range forms {
		text, ok := data.Text(f.mime)
		if !ok {
			continue
		}
		about := notebook.Object{}
		_ = json.Unmarshal(metadata[f.mime], &about) // none of it is needed
		return f.show(text, f.mime, about)
	}
	return ""
}

func plain(text, _ string, _ notebook.Object) string {
	var b strings.Builder
	pre(&b, "text", terminal(text))
	return b.String()
}

var size = regexp.MustCompile(`^[0-9.]+$`)

// image is a picture whose bytes stand in the page. SVG too: as a document of its own it runs no
// scripts, and its ids are not those of the next figure.
func image(text, mime string, about notebook.Object) string {
	if mime == "image/svg+xml" {
		text = base64.StdEncoding.EncodeToString([]byte(text))
	}
	attributes := ""
	for _, name := range []string{"width", "height"} {
		if n := string(about[name]); size.MatchString(n) {
			attributes += fmt.Sprintf(" %s=%q", name, n)
		}
	}
	return fmt.Sprintf("<img alt=\"\" src=\"data:%s;base64,%s\"%s>\n", mime, html.EscapeString(strings.Join(strings.Fields(text), "")), attributes)
}

// attachments are the pictures of a cell of text, as addresses, by their names.
func attachments(c *notebook.Cell) map[string]string {
	files := map[string]map[string]json.RawMessage{}
	_ = json.Unmarshal(c.Extra["attachments"], &files) // a picture that is none is missing
	list := map[string]string{}
	for name, data := range files {
		for mime := range data {
			if text, ok := notebook.Object(data).Text(mime); ok && strings.HasPrefix(mime, "image/") {
				list[name] = "data:" + mime + ";base64," + strings.Join(strings.Fields(text), "")
			}
		}
	}
	return list
}
