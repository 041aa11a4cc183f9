package profilertest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// RoundTrip writes and reads JSON; the copy must have equal fields.
func RoundTrip(t *testing.T, s *profiler.Stats) {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := profiler.ReadJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	if s := s.Clone(); !reflect.DeepEqual(s.Functions, back.Functions) || !reflect.DeepEqual(s.Globals,
		back.Globals) || s.Memory != back.Memory || s.Name != back.Name || s.ClockCost != back.ClockCost {
		t.Errorf("read back from JSON:\n got %+v\nwant %+v", back, s)
	}
	again, err := json.Marshal(back)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("JSON of what was read differs:\n got %s\nwant %s", again, data)
	}
}
