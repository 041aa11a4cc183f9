package np

// htmlMost is the largest number of rows and columns that are shown as a table.
const htmlMost = 20

// MimeBundle shows a small matrix as a table, and every array as text.
func (a *Array) MimeBundle() map[string]any {
	bundle := map[string]any{"text/plain": a.String()}
	if a.D.Rank() == 2 && a.D.Size() > 0 && a.D.Dim(0) <= htmlMost && a.D.Dim(1) <= htmlMost {
		bundle["text/html"] = a.printing().HTML(a.D)
	}
	return bundle
}
