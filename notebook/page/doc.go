// Package page makes web pages of notebooks: one file, which needs no other and no network. It
// runs nothing; outputs are those that the notebook has.
//
//	HTML   the page of a notebook
//
// Start at page.go, which goes through cells and outputs by their kinds. ansi.go has the colours of
// terminals, markdown.go the text between the code, style.css all that is seen, light and dark.
package page
