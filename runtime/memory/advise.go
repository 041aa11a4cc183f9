package memory

// Advise asks for huge pages for b, memory that Get has not given, as Get does.
func Advise(b []byte) { adviseHuge(b) }
