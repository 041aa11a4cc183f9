package roofline

import "golang.org/x/sys/unix"

func systemModel() string {
	name, _ := unix.Sysctl("machdep.cpu.brand_string")
	return name
}

// systemCaches: of the fast cores, if there are two kinds. Several of them share the second level.
func systemCaches() (list []cache) {
	for i, names := range [][]string{
		{"hw.perflevel0.l1dcachesize", "hw.l1dcachesize"}, {"hw.perflevel0.l2cachesize", "hw.l2cachesize"}, {"hw.l3cachesize"},
	} {
		for _, name := range names {
			if size, err := unix.SysctlUint64(name); err == nil && size > 0 {
				list = append(list, cache{i + 1, int64(size), i > 0})
				break
			}
		}
	}
	return list
}
