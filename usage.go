package main

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/roofline"
)

// usage makes what the kernel answers to a usage_request, as ipykernel does: the processors' time
// in percent of one, since it was asked last, and memory in bytes. What the system does not say is
// left out.
func usage() func() map[string]any {
	var mu sync.Mutex
	last := roofline.Usage()
	return func() map[string]any {
		now := roofline.Usage()
		mu.Lock()
		since := now.Minus(last)
		last = now
		mu.Unlock()
		content := map[string]any{"pid": os.Getpid(), "cpu_count": runtime.NumCPU()}
		if name, err := os.Hostname(); err == nil {
			content["hostname"] = name
		}
		addShares(content, since)
		if kilobytes := procFile("/proc/self/status")["VmRSS"]; kilobytes > 0 {
			content["kernel_memory"] = kilobytes << 10
		}
		if host := procFile("/proc/meminfo"); host["MemTotal"] > 0 {
			total, available := host["MemTotal"]<<10, host["MemAvailable"]<<10
			content["host_virtual_memory"] = map[string]any{
				"total": total, "available": available, "used": total - available, "free": host["MemFree"] << 10,
				"percent": 100 * float64(total-available) / float64(total),
			}
		}
		return content
	}
}

func addShares(content map[string]any, since profiler.Usage) {
	if since.Wall > 0 {
		content["kernel_cpu"] = 100 * float64(since.CPU) / float64(since.Wall)
	}
	if since.Capacity > 0 {
		content["host_cpu_percent"] = 100 * (1 - float64(since.Idle)/float64(since.Capacity))
	}
}

// procFile reads lines of the form "Name:  123 kB"; of another system there are none.
func procFile(path string) map[string]int64 {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	numbers := map[string]int64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		if n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64); err == nil {
			numbers[name] = n
		}
	}
	return numbers
}
