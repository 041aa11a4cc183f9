package roofline

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// linuxModel finds the processor's name in the text of /proc/cpuinfo, and its family and model:
// hypervisors give several processors one name. Of arm64, which has none there, the numbers that
// stand for it.
func linuxModel(cpuinfo string) (name, model string) {
	fields := map[string]string{}
	for _, line := range strings.Split(cpuinfo, "\n") {
		key, value, ok := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); ok && fields[key] == "" {
			fields[key] = strings.TrimSpace(value)
		}
	}
	for _, key := range []string{"model name", "cpu model", "cpu"} {
		if fields[key] != "" {
			return fields[key], strings.TrimSpace(fields["cpu family"] + " " + fields["model"])
		}
	}
	if part := fields["CPU part"]; part != "" {
		return strings.TrimSpace(fields["CPU implementer"] + " " + part), ""
	}
	return "", ""
}

// A cache is one level of them.
type cache struct {
	level  int
	size   int64 // bytes
	shared bool  // by all cores
}

// linuxCaches reads the data caches of the first processor from a folder of /sys.
func linuxCaches(dir string) (list []cache) {
	folders, _ := filepath.Glob(filepath.Join(dir, "index*"))
	read := func(folder, name string) string {
		text, _ := os.ReadFile(filepath.Join(folder, name))
		return strings.TrimSpace(string(text))
	}
	for _, f := range folders {
		level, err := strconv.Atoi(read(f, "level"))
		kilobytes, ok := strings.CutSuffix(read(f, "size"), "K")
		size, failed := strconv.ParseInt(kilobytes, 10, 32)
		if kind := read(f, "type"); err == nil && ok && failed == nil && (kind == "Data" || kind == "Unified") {
			list = append(list, cache{level, size << 10, level > 2})
		}
	}
	return list
}

// usual are the caches of a processor that does not say what it has.
var usual = []cache{{1, 32 << 10, false}, {2, 512 << 10, false}, {3, 16 << 20, true}}

// cpuModel names the processor.
var cpuModel = sync.OnceValues(func() (name, model string) {
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name, model = linuxModel(string(text)); name != "" {
			return name, model
		}
	}
	if name := systemModel(); name != "" {
		return name, ""
	}
	return runtime.GOARCH, ""
})

// cpuCaches lists the data caches, the smallest first.
func cpuCaches() []cache {
	list := linuxCaches("/sys/devices/system/cpu/cpu0/cache")
	if len(list) == 0 {
		list = systemCaches()
	}
	size := int64(1 << 12)
	for i, c := range list {
		if c.level != i+1 || c.size <= size || c.size > 1<<34 {
			return usual
		}
		size = c.size
	}
	if len(list) == 0 {
		return usual
	}
	return list
}
