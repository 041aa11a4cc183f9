//go:build !darwin

package roofline

func systemModel() string { return "" }

func systemCaches() []cache { return nil }
