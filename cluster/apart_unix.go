//go:build unix

package cluster

import (
	"os/exec"
	"syscall"
)

// apart keeps the interrupt of a terminal, which all processes of a group get, from a child.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
