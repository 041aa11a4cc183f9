//go:build !unix

package roofline

import "time"

func ownTime() time.Duration { return 0 }

func systemTime() (all, idle time.Duration) { return 0, 0 }
