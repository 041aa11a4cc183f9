//go:build cgo && !purego

package native

// ceil is n / by, rounded up.
func ceil(n, by int) int { return (n + by - 1) / by }
