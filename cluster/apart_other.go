//go:build !unix

package cluster

import "os/exec"

// apart does nothing: there are no groups of processes.
func apart(*exec.Cmd) {}
