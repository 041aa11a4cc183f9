package graphs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/profiler/picture"
)

// rastered are the formats that Theano writes with Graphviz; they are written where its program dot
// is installed.
var rastered = []string{".png", ".pdf", ".ps", ".jpg", ".jpeg", ".gif"}

// graphviz is the path of Graphviz's program, "" if it is not installed.
func graphviz() string {
	path, err := exec.LookPath("dot")
	if err != nil {
		return ""
	}
	return path
}

// byGraphviz is the picture in one of the formats rastered, laid out by dot, which an interrupt of
// the cell ends.
func byGraphviz(ctx context.Context, p *picture.Picture, path string) ([]byte, error) {
	ext := filepath.Ext(path)
	dot := graphviz()
	if dot == "" {
		return nil, fmt.Errorf("got the file %s: Graphviz, whose program dot makes a %s, is not installed; write %s, or install graphviz",
			path, strings.TrimPrefix(ext, "."), strings.TrimSuffix(path, ext)+".svg")
	}
	cmd := exec.CommandContext(ctx, dot, "-T"+strings.TrimPrefix(ext, "."))
	cmd.Stdin = strings.NewReader(p.DOT())
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Run(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, fmt.Errorf("dot of Graphviz: %s", cmp.Or(strings.TrimSpace(told.String()), err.Error()))
	}
	return out.Bytes(), nil
}
