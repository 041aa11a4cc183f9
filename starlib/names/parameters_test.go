package names_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
)

// TestKeywords checks that what users write by keyword in Theano and PyTensor is a keyword here.
func TestKeywords(t *testing.T) {
	text, err := os.ReadFile("testdata/parameters.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	functions := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		accepted, refused, _ := strings.Cut(line, " - ")
		words := strings.Fields(accepted)
		b := peerFunction(s, words[0])
		if b == nil {
			t.Errorf("%s is not there, and its parameters are", words[0])
			continue
		}
		functions++
		for _, keyword := range words[1:] {
			if err := b.Accepts(keyword); err != nil {
				t.Errorf("%s: the libraries have a parameter %s: %v", words[0], keyword, err)
			}
		}
		for _, keyword := range strings.Fields(refused) {
			if b.Accepts(keyword) == nil {
				t.Errorf("%s accepts %s, and the table says that it does not", words[0], keyword)
			}
		}
	}
	if functions < 300 {
		t.Errorf("got %d functions, want those of T and their methods", functions)
	}
}

// peerFunction is what a function of the table is here: those of T.linalg are in two modules of
// Theano's, and some of T are in others.
func peerFunction(s *starlib.Session, name string) *value.Builtin {
	if method, ok := strings.CutPrefix(name, "TensorVariable."); ok {
		if !slices.Contains(symbolic.SymbolMethods().Names(), method) {
			return nil
		}
		v, err := symbolic.SymbolMethods().Attr(nil, method)
		if err != nil {
			return nil
		}
		return value.AsBuiltin(v)
	}
	at := strings.LastIndexByte(name, '.')
	module, own := name[:at], name[at+1:]
	modules := []string{module}
	switch module {
	case "T":
		modules = append(modules, "gradient", "T.special")
	case "T.linalg":
		modules = append(modules, "T.nlinalg", "T.slinalg")
	}
	for _, m := range modules {
		if v, err := attribute(s, m+"."+own); err == nil {
			if b := value.AsBuiltin(v); b != nil {
				return b
			}
		}
	}
	return nil
}
