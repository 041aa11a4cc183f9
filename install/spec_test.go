package install

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"testing"
)

func TestOurs(t *testing.T) {
	argv := func(program string) []string { return []string{program, "kernel", "-f", "{connection_file}"} }
	for _, tt := range []struct {
		name string
		s    spec
		want bool
	}{
		{"as written", newSpec("/bin/arignote", Options{Language: "starlark"}), true},
		{"renamed program", spec{Argv: argv("/bin/tensors"), Language: "starlark"}, true},
		{"language python", spec{Argv: argv("/bin/arignote-0.3"), Language: "python"}, true},
		{"windows", spec{Argv: argv(`C:\Program Files\Arignote.exe`), Language: "python"}, true},
		{"further arguments", spec{Argv: append(argv("/bin/arignote"), "--threads", "1"), Language: "starlark"}, true},
		{"other program and language", spec{Argv: argv("/opt/arignote/other"), Language: "go"}, false},
		{"other arguments", spec{Argv: []string{"/bin/arignote", "{connection_file}"}, Language: "starlark"}, false},
		{"no arguments", spec{Language: "starlark"}, false},
	} {
		if got := tt.s.ours(); got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.name, got, tt.want)
		}
	}
}

// TestLogos checks what a launcher needs of the pictures: their sizes, a
// transparent ground, and something on it.
func TestLogos(t *testing.T) {
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		data, err := logos.ReadFile("logo/" + name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := img.Bounds().Dx(); got != size || img.Bounds().Dy() != size {
			t.Errorf("%s: got %v, want %d by %d", name, img.Bounds(), size, size)
		}
		opaque := 0
		for y := range size {
			for x := range size {
				if _, _, _, a := img.At(x, y).RGBA(); a == 0xffff {
					opaque++
				}
			}
		}
		for _, corner := range [][2]int{{0, 0}, {0, size - 1}, {size - 1, 0}, {size - 1, size - 1}} {
			if _, _, _, a := img.At(corner[0], corner[1]).RGBA(); a != 0 {
				t.Errorf("%s: got alpha %#x at %v, want a transparent corner", name, a, corner)
			}
		}
		if part := float64(opaque) / float64(size*size); part < 0.1 || part > 0.6 {
			t.Errorf("%s: got %.2f of it opaque, want a drawing on a ground", name, part)
		}
	}

	data, err := logos.ReadFile("logo/logo-svg.svg")
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	viewBox := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "svg" {
			for _, a := range e.Attr {
				if a.Name.Local == "viewBox" {
					viewBox = a.Value
				}
			}
		}
	}
	if viewBox != "0 0 64 64" {
		t.Errorf("got viewBox %q, want 0 0 64 64", viewBox)
	}
}
