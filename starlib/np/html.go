package np

// htmlMost is the largest number of rows and columns that are shown as a table.
const htmlMost = 20

// MimeBundle shows a small matrix as a table, and every array as text.
func (a *Array) MimeBundle() map[string]any {
	bundle := map[string]any{"text/plain": a.String()}
	if a.d.Rank() == 2 && a.d.Size() > 0 && a.d.Dim(0) <= htmlMost && a.d.Dim(1) <= htmlMost {
		bundle["text/html"] = a.printing().HTML(a.d)
	}
	return bundle
}
