package memory

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// limitTo bounds what there is besides what is there now.
func limitTo(t *testing.T, bytes int64) {
	t.Helper()
	settle()
	SetLimit(1 << 50) // the first limit that is set says what is the program's own
	now, _ := InUse()
	values.Lock()
	values.base += count()
	values.Unlock()
	Collect()
	SetLimit(now + bytes)
	t.Cleanup(func() { SetLimit(0) })
}

// settle collects what tests before left until no more goes: on a busy machine their finalizers
// come late, and what they held would count as the program's own.
func settle() {
	for held := int64(math.MaxInt64); ; time.Sleep(20 * time.Millisecond) {
		dropIdle()
		Collect()
		now := count()
		if now > held-1e6 {
			return
		}
		held = now
	}
}

// TestGrow: values may hold a part of the limit; garbage does not count, arrays do.
func TestGrow(t *testing.T) {
	if err := Grow(math.MaxInt64); err != nil {
		t.Errorf("without a limit: got %v", err)
	}
	const limit = 90e6
	limitTo(t, limit)
	arrays, _ := InUse()
	may := mayHold(arrays+limit, arrays)
	if may < 39e6 || may > 41e6+arrays {
		t.Fatalf("values may hold %d bytes", may)
	}
	if err := Grow(may - 1e6); err != nil {
		t.Errorf("got %v", err)
	}
	var growth *GrowthError
	err := Grow(may + 1e6)
	if !errors.As(err, &growth) || growth.Want != may+1e6 || growth.May != may || growth.Limit != arrays+limit ||
		!strings.Contains(err.Error(), "bytes that values hold is more than the") {
		t.Errorf("got %v", err)
	}
	if err := Grow(math.MaxInt64); err == nil {
		t.Error("everything was granted")
	}
	for range 20 { // garbage
		sink = make([]byte, 20e6)
		if err := Grow(10e6); err != nil {
			t.Errorf("with garbage: got %v", err)
		}
	}
	sink = make([]byte, may+2e6)
	if err := Grow(0); err == nil || err.(*GrowthError).Hold < may || !strings.HasPrefix(err.Error(), "values hold ") {
		t.Errorf("with %d bytes: got %v", len(sink), err)
	}
	if err := Watch(); err != nil { // they may be growing
		t.Errorf("watched: got %v", err)
	}
	sink = make([]byte, limit+10e6)
	if err := Watch(); err == nil {
		t.Error("more than the limit was not seen")
	}
	sink = nil
	if err := Grow(0); err != nil {
		t.Errorf("when it is gone: got %v", err)
	}
}

// TestArraysAndValues: what values hold is not there for arrays.
func TestArraysAndValues(t *testing.T) {
	const limit = 90e6
	limitTo(t, limit)
	sink = make([]byte, 35e6)
	_, err := Get(60e6)
	if err == nil || !strings.Contains(err.Error(), "is more than the limit of") {
		t.Errorf("got %v", err)
	}
	if _, err = Get(40e6); err == nil || !strings.Contains(err.Error(), "leaves lists and dicts no room to grow") {
		t.Errorf("got %v", err)
	}
	sink = nil
	block := get(t, 60e6)
	if err := Grow(25e6); err == nil {
		t.Error("values got what arrays have")
	}
	runtime.KeepAlive(block)
	block = nil
	if err := Grow(25e6); err != nil {
		t.Errorf("when the array is gone: got %v", err)
	}
}

var sink []byte
