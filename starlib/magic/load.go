package magic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"go.starlark.net/starlark"
)

// magicLoad is %load: the text of a file takes the place of the cell's.
func magicLoad(c *Call) (starlark.Value, error) {
	path := strings.Trim(c.Rest, `"'`)
	switch {
	case path == "":
		return nil, errors.New("%load: got no file: %load FILE")
	case strings.HasPrefix(path, "http://"), strings.HasPrefix(path, "https://"):
		return nil, errors.New("%load: got a url: programs reach no network; download the file, and load that")
	}
	abs := c.S.Absolute(path)
	if _, err := c.S.Files().Stat(abs); err != nil {
		if _, other := c.S.Files().Stat(abs + ".py"); other == nil {
			abs += ".py"
		}
	}
	text, err := c.S.Files().Read(abs, files.MaxText)
	if err != nil {
		return nil, fmt.Errorf("%%load: %w", c.S.NoFile("file", path, abs, err))
	}
	c.S.NextInput("# %load "+c.Rest+"\n"+string(text), true)
	return nil, nil
}
