// Arignote-hub is the server of a cluster, a program of its own so that the notebook's is a third
// smaller: go install github.com/arignote/arignote/install/arignote-hub. See package hub.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/arignote/arignote/cluster/hub"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := hub.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
