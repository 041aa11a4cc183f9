package profile_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestLinesBetweenNumpy: the time of a line that calls nothing of np is its own, whatever it does,
// and not that of the next line that calls np.
func TestLinesBetweenNumpy(t *testing.T) {
	for i, line := range []string{
		"u = sorted(words)",
		"u = dict(zip(words, range(len(words))))",
		"u = text[::-1] + text",
		"u = text.replace('a', 'b').upper().split('B')",
		"u = [j * j for j in range(1500)]",
		"u = {str(j): j for j in range(500)}",
		"u = [w for w in words if w.startswith('w1')]",
	} {
		if !long.Turn(i, 1) {
			continue
		}
		s := starlibtest.NewSession(t)
		starlibtest.Run(t, s, 1, `import numpy as np
x = np.ones(3)
words = ["w%d" % (j * 37 % 500) for j in range(500)]
text = "banana and apple " * 1000`)
		_, shares, c, _ := lineShares(t, s, fmt.Sprintf("%%%%profile\nfor i in range(2000):\n    y = np.exp(x)\n    %s\n    z = x + 1", line))
		if shares[4] < 0.7 || shares[3]+shares[5] > 0.3 {
			t.Errorf("%s: got %.0f %% of %v, the lines around it %.0f %%", line, 100*shares[4], c.Wall, 100*(shares[3]+shares[5]))
		}
	}
}
