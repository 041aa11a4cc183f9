// Package check tells of a file in Python, or of a folder of them, what would not run here, and
// runs nothing.
//
//	File    what would stop a file, and the files of the user's that it imports
//	Folder  the same of each file of a folder
//	Text    a report as a terminal shows it
//
// It finds what can be known before anything runs: statements that are refused, modules, names and
// attributes of modules that there are not, keywords that functions do not take, and forms of
// Python 2. What values do to each other it cannot know.
package check
