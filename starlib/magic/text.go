package magic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/value"
)

// Magics of cells that are no code, but text.

// shownAs is the row of a magic that shows the cell as a MIME type.
func shownAs(name, doc, mime string) Row {
	return Row{Name: name, Doc: doc, Text: func(c *Call, text string) error {
		c.S.Output().Display(map[string]any{mime: text, "text/plain": text}, nil, "", false)
		return nil
	}}
}

var writefile = Row{Name: "writefile", Params: []value.Param{{Name: "-a", Doc: "at the end of the file, if there is one"}, {Name: "FILE", Doc: "its path"}},
	Doc: "Writes the cell to a file.", Example: "%%writefile layers.py", Text: writeFile}

func writeFile(c *Call, text string) error {
	path := strings.Trim(c.Rest, `"'`)
	if path == "" {
		return errors.New("%%writefile: got no file: %%writefile FILE")
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	abs := c.S.Absolute(path)
	_, missing := c.S.Files().Stat(abs)
	doing, write := "Writing", func() error { return c.S.Files().Write(abs, []byte(text)) }
	switch {
	case c.Given("-a"):
		doing, write = "Appending to", func() error {
			f, err := c.S.Files().Append(abs)
			if err != nil {
				return err
			}
			_, err = f.WriteString(text)
			return errors.Join(err, f.Close())
		}
	case missing == nil:
		doing = "Overwriting"
	}
	if err := write(); err != nil {
		return fmt.Errorf("%%%%writefile: %w", c.S.NoFile("directory", path, abs, err))
	}
	c.Print(doing + " " + path + "\n")
	return nil
}
