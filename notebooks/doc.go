// Package notebooks holds the tutorials, each of them twice: as a script, NAME.star, and as a
// notebook with its outputs, NAME.ipynb. It has no code, only tests: that script and notebook say
// the same and that both still run.
//
// The script is the source. To read, open the notebook; to change, edit the script and write the
// notebook anew:
//
//	go test ./notebooks -update
//
// which runs every cell through Jupyter's nbclient (Debian: python3-nbclient) with a kernel built
// for the purpose. Start at tutorial/index.star, which leads through the tutorials. A new one has a
// row there, which TestIndex checks.
package notebooks
