//go:build !race

package session_test

import "time"

// soon is how long a cell may go on after an interrupt.
const soon = 100 * time.Millisecond
