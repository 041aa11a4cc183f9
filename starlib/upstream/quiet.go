package upstream

import (
	"log"
	"os"

	_ "github.com/arignote/arignote/starlib/upstream/internal/quiet" // until now
	_ "go.starlark.net/starlark"                                     // which has been initialized
)

func init() { log.SetOutput(os.Stderr) }
