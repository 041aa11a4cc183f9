package parallel

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// siblings are the files in which Linux tells which logical processors are one core.
const siblings = "/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list"

// Cores is what the process may use when it starts.
var Cores = sync.OnceValue(countCores)

// countCores is the number of physical cores that the process may use: two threads of one core
// share its arithmetic, which kernels keep busy. Where that cannot be found out it is the number of
// logical ones.
func countCores() int {
	logical := runtime.GOMAXPROCS(0)
	files, _ := filepath.Glob(siblings)
	cores := make(map[string]bool)
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil {
			cores[string(text)] = true
		}
	}
	if len(cores) == 0 {
		return min(logical, Most)
	}
	return min(logical, len(cores), Most)
}
