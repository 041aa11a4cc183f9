package main

import (
	"os"
	"runtime"
	"testing"
)

// TestUsage checks what a usage_reply says against what is true of every process, twice: shares are
// of the time between.
func TestUsage(t *testing.T) {
	read := usage()
	for range 2 {
		got := read()
		if got["pid"] != os.Getpid() || got["cpu_count"] != runtime.NumCPU() {
			t.Errorf("got %v", got)
		}
		if runtime.GOOS != "linux" {
			continue
		}
		memory, _ := got["kernel_memory"].(int64)
		host, _ := got["host_virtual_memory"].(map[string]any)
		if total, _ := host["total"].(int64); memory < 1<<20 || memory > total {
			t.Errorf("memory: got %v", got)
		}
		for name, most := range map[string]float64{"kernel_cpu": 100 * float64(runtime.NumCPU()+1), "host_cpu_percent": 100} {
			if share, ok := got[name].(float64); ok && (share < 0 || share > most) {
				t.Errorf("%s: got %v", name, share)
			}
		}
		if percent, _ := host["percent"].(float64); percent <= 0 || percent > 100 {
			t.Errorf("got %v", host)
		}
	}
}
