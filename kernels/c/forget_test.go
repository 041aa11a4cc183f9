//go:build linux && cgo && !purego

package ckernels

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// resident is how many kilobytes of files the process has in memory.
func resident(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, after, found := strings.Cut(string(status), "RssFile:")
	if !found {
		t.Skip("the system does not count the memory of files")
	}
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestForgetStart: pages of the program go, and it goes on. What the test itself needs comes back
// at once.
func TestForgetStart(t *testing.T) {
	before := ISAs()
	least := resident(t)
	for range 20 {
		had := resident(t)
		ForgetStart()
		if got := resident(t); got < had {
			least = min(least, got-had)
		}
	}
	if least >= 0 {
		t.Errorf("no kilobyte of the program has gone")
	}
	if after := ISAs(); len(after) != len(before) {
		t.Errorf("got %d instruction sets, want %d", len(after), len(before))
	}
}
