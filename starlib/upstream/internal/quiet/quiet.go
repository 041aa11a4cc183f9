// Package quiet keeps go.starlark.net from logging while it is initialized: where address space is
// limited, it says that integers may be slower, in each start of the program and in front of
// everything. The package imports next to nothing, so it is initialized first: of the packages that
// are ready Go takes that with the least path.
package quiet

import (
	"io"
	"log"
)

func init() { log.SetOutput(io.Discard) }
