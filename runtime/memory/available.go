package memory

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
)

// A Bound is how much memory a process may have.
type Bound struct {
	Bytes int64  // 0 if nothing bounds it
	By    string // what bounds it, for messages: "the machine", "the cgroup /docker/1", "ulimit -v"
}

// AddressSpace is what a Bound is By that is one of address space.
const AddressSpace = "ulimit -v"

// Available is the tightest of what bounds the memory of Go's heap in this process: what the
// machine has, the cgroups that the process is in, and its limits of address space and of data,
// less what the process has of these outside of the heap. It counts what is in use too. It reads
// some files and takes a fraction of a millisecond.
func Available() Bound {
	return available(os.DirFS("/"), processLimits(), mappedByGo())
}

// Limit is the least limit of address space or of data that the process inherited, as it was set.
func Limit() (b Bound, ok bool) {
	for _, l := range processLimits() {
		if !ok || l.bytes < b.Bytes {
			b, ok = Bound{l.bytes, l.by}, true
		}
	}
	return b, ok
}

// A processLimit is one that the process inherited and cannot raise.
type processLimit struct {
	by    string
	bytes int64
	field int // which number of /proc/self/statm, in pages, counts against it
}

// available reads a file system, which tests fake. goBytes is what Go has mapped.
func available(root fs.FS, limits []processLimit, goBytes int64) Bound {
	bounds := []Bound{machine(root)}
	bounds = append(bounds, cgroups(root)...)
	statm, _ := fs.ReadFile(root, "proc/self/statm")
	used := strings.Fields(string(statm))
	for _, l := range limits {
		var others int64 // the program itself, stacks of threads, and address space that is reserved only
		if l.field < len(used) {
			pages, _ := strconv.ParseInt(used[l.field], 10, 64)
			others = max(0, pages*int64(os.Getpagesize())-goBytes)
		}
		bounds = append(bounds, Bound{max(1, l.bytes-others), l.by}) // 0 would be no bound
	}
	bounds = slices.DeleteFunc(bounds, func(b Bound) bool { return b.Bytes <= 0 })
	if len(bounds) == 0 {
		return Bound{}
	}
	return slices.MinFunc(bounds, func(a, b Bound) int { return cmp.Compare(a.Bytes, b.Bytes) })
}

func machine(root fs.FS) Bound {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return Bound{}
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "MemTotal: %d kB", &kilobytes); err == nil {
			return Bound{kilobytes << 10, "the machine"}
		}
	}
	return Bound{}
}

// cgroups are the bounds of the groups that the process is in, and of those that these are in,
// which bound it too. In a container the files name groups as the host does, where the container
// sees its own at the root: what is not there is passed over.
func cgroups(root fs.FS) []Bound {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	var bounds []Bound
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3) // 4:memory:/user/1 or, version 2, 0::/user/1
		if len(parts) != 3 {
			continue
		}
		for _, m := range cgroupMounts {
			if m.controller != "" && !slices.Contains(strings.Split(parts[1], ","), m.controller) || m.controller == "" && parts[1] != "" {
				continue
			}
			for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
				for _, name := range m.files {
					if n := number(root, path.Join(m.dir, group, name)); n > 0 {
						bounds = append(bounds, Bound{n, "the cgroup " + group})
					}
				}
				if group == "/" {
					break
				}
			}
		}
	}
	return bounds
}

// cgroupMounts are where both versions of cgroups keep the limits of memory. (A group of version 2
// that passes memory.high is slowed down to a halt.)
var cgroupMounts = []struct {
	controller string // in /proc/self/cgroup; "" is version 2
	dir        string
	files      []string
}{
	{"memory", "sys/fs/cgroup/memory", []string{"memory.limit_in_bytes"}},
	{"", "sys/fs/cgroup", []string{"memory.max", "memory.high"}},
	{"", "sys/fs/cgroup/unified", []string{"memory.max", "memory.high"}},
}

// number is what a file says that holds a number, 0 if it says "max", which is none.
func number(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// mappedByGo is what Go has mapped, of which the heap is nearly all.
func mappedByGo() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
