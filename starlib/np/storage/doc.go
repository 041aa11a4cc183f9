// Package storage is arrays in files: np.save, np.savez and np.load, of NumPy's formats, and
// np.savetxt, np.loadtxt and np.genfromtxt.
//
// The formats .npy and .npz are package npy's; files are reached through the session's door.
package storage
