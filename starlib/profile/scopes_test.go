package profile_test

import (
	"context"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestInterruptedScope: what an interrupt leaves of a cell is no scope of the next one.
func TestInterruptedScope(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	var out starlibtest.Printed
	code := "with named_scope(\"outer\"):\n    named_scope(\"never left\").__enter__()\n    while True: pass"
	if _, _, err := s.Execute(ctx, 1, code, &out); err == nil || err.(*starlib.Error).Name() != "KeyboardInterrupt" {
		t.Fatalf("got %v, want KeyboardInterrupt", err)
	}
	shown, _ := starlibtest.Run(t, s, 2, "with named_scope(\"next\") as name:\n    pass\nname")
	if shown != `"next"` && shown != "'next'" {
		t.Errorf("got the scope %s, want next alone", shown)
	}
}
