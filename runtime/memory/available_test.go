package memory

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// files makes a file system of lines "path: text".
func files(pairs map[string]string) fstest.MapFS {
	root := make(fstest.MapFS)
	for name, text := range pairs {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func TestAvailable(t *testing.T) {
	const gb = 1 << 30
	page := int64(os.Getpagesize())
	meminfo := "MemTotal:       8388608 kB\nMemFree:  1 kB\n"
	for _, tt := range []struct {
		name   string
		files  map[string]string
		limits []processLimit
		mapped int64
		want   Bound
	}{
		{"nothing is known", nil, nil, 0, Bound{}},
		{"the machine", map[string]string{"proc/meminfo": meminfo}, nil, 0, Bound{8 * gb, "the machine"}},
		{"a file that says something else", map[string]string{"proc/meminfo": "MemFree: 12 kB\n"}, nil, 0, Bound{}},
		{"version 2", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/1\n",
			"sys/fs/cgroup/user/1/memory.max": "2147483648\n"}, nil, 0, Bound{2 * gb, "the cgroup /user/1"}},
		{"version 2, no limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/1\n",
			"sys/fs/cgroup/user/1/memory.max": "max\n"}, nil, 0, Bound{8 * gb, "the machine"}},
		{"a group around it", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/1\n",
			"sys/fs/cgroup/user/1/memory.max": "max\n", "sys/fs/cgroup/user/memory.max": "1073741824\n"}, nil, 0, Bound{gb, "the cgroup /user"}},
		{"the throttle", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "2147483648\n", "sys/fs/cgroup/memory.high": "1073741824\n"}, nil, 0, Bound{gb, "the cgroup /"}},
		{"a container of version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/docker/12\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"}, nil, 0, Bound{gb, "the cgroup /"}},
		{"version 1, no limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, nil, 0, Bound{8 * gb, "the machine"}},
		{"another controller", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memoryless:/a\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5\n"}, nil, 0, Bound{8 * gb, "the machine"}},
		{"a group whose name leads out", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../x\n"}, nil, 0, Bound{8 * gb, "the machine"}},
		{"address space", map[string]string{"proc/meminfo": meminfo, "proc/self/statm": "1000 9 9 9 0 200 0\n"},
			[]processLimit{{"ulimit -v", gb, 0}}, 100 * page, Bound{gb - 900*page, "ulimit -v"}},
		{"data", map[string]string{"proc/meminfo": meminfo, "proc/self/statm": "1000 9 9 9 0 200 0\n"},
			[]processLimit{{"ulimit -d", gb, 5}}, 50 * page, Bound{gb - 150*page, "ulimit -d"}},
		{"nothing is left", map[string]string{"proc/self/statm": "1000 9 9 9 0 200 0\n"},
			[]processLimit{{"ulimit -v", 10, 0}}, 0, Bound{1, "ulimit -v"}},
		{"no statm", nil, []processLimit{{"ulimit -v", gb, 0}}, 0, Bound{gb, "ulimit -v"}},
	} {
		if got := available(files(tt.files), tt.limits, tt.mapped); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestAvailableHere: a process finds the limits that its shell gave it.
func TestAvailableHere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says what a process may have")
	}
	if os.Getenv("TEST_AVAILABLE") != "" {
		b := Available()
		os.Stdout.WriteString("available " + strconv.FormatInt(b.Bytes, 10) + " " + b.By + "\n")
		return
	}
	for _, tt := range []struct {
		limit, by string
		most      int64
	}{
		{"true", "", 1 << 60},
		{"ulimit -v 3000000", "ulimit -v", 3000000 << 10},
		{"ulimit -d 2000000", "ulimit -d", 2000000 << 10}, // enough for the race detector's threads
	} {
		cmd := exec.Command("sh", "-c", tt.limit+` && exec "$0" -test.run 'TestAvailableHere$'`, os.Args[0])
		cmd.Env = append(os.Environ(), "TEST_AVAILABLE=1")
		out, err := cmd.CombinedOutput()
		line, _, _ := strings.Cut(string(out), "\n")
		word, rest, _ := strings.Cut(line, " ")
		number, by, _ := strings.Cut(rest, " ")
		bytes, _ := strconv.ParseInt(number, 10, 64)
		if err != nil || word != "available" || bytes < 64<<20 || bytes > tt.most || tt.by != "" && by != tt.by {
			t.Errorf("%s: got %q (%v), want at most %d bytes by %q", tt.limit, line, err, tt.most, tt.by)
		}
	}
}
