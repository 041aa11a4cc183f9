package assist_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

const instanceSetup = `
class Layer(object):
    """A layer of a network."""
    kind = "dense"

    def __init__(self, n_in, n_out=10):
        """Makes a layer.

        n_in: how many inputs"""
        self.n_in, self.weights = n_in, [0.0] * n_out
        self._hidden = 1

    @property
    def size(self):
        """How many weights it has."""
        asked.append("size")
        return len(self.weights)

    def forward(self, x, scale=1.0):
        """What comes out of it."""
        return x

    @staticmethod
    def make(n): return Layer(n)

    @classmethod
    def default(cls): return cls(1)

asked = []

class Wide(Layer):
    def forward(self, x):
        """Wider."""
        return x

layer, wide = Layer(3), Wide(4)
layer.extra = {"a": 1}
`

// TestInstances: completion and help know attributes, methods and properties of instances and
// classes, and ask no property for its value.
func TestInstances(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, instanceSetup)
	for _, c := range []struct{ code, want string }{
		{"layer.", "default extra forward kind make n_in size weights"},
		{"layer.wei", "weights"},
		{"wide.fo", "forward"},
		{"Layer.", "default forward kind make size"},
		{"layer.extra.", "items keys"},
		{"Lay", "Layer"},
		{"layer.forward(sc", "scale="},
		{"Layer(n_", "n_in= n_out="},
	} {
		_, _, matches := s.Complete(c.code, len(c.code))
		var got []string
		for _, m := range matches {
			got = append(got, m.Text)
		}
		for _, name := range strings.Fields(c.want) {
			if !slices.Contains(got, name) {
				t.Errorf("%s: no %s: got %q", c.code, name, got)
			}
		}
		if slices.Contains(got, "__init__") {
			t.Errorf("%s: special methods come unasked: %q", c.code, got)
		}
	}
	for _, c := range []struct{ code, want string }{
		{"layer", "Layer;;A layer of a network."},
		{"Layer", "Layer(n_in, n_out=10);;A layer of a network."},
		{"Layer(", "Layer(n_in, n_out=10)"},
		{"layer.forward", "forward(x, scale=1.0);;What comes out of it."},
		{"layer.forward(", "forward(x, scale=1.0)"},
		{"wide.forward", "forward(x);;Wider."},
		{"Layer.forward", "forward(self, x, scale=1.0);;What comes out of it."},
		{"layer.size", "How many weights it has."},
		{"layer.kind", "dense"},
		{"layer.weights", "list"},
	} {
		text, _ := s.Inspect(c.code, len(c.code), 0)["text/plain"].(string)
		for _, part := range strings.Split(c.want, ";;") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in:\n%s", c.code, part, text)
			}
		}
	}
	if text, _ := starlibtest.Run(t, s, 2, "asked"); text != "[]" {
		t.Errorf("a property was asked for its value: %v", text)
	}
}
