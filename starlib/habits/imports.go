package habits

// imports are modules that Python users import.
var imports = []Row{
	{Pattern: "collections", Hint: "dict, list and set are there", Example: "import collections"},
	{Pattern: "copy", Hint: "lists, dicts and arrays have .copy()", Example: "import copy"},
	{Pattern: "functools", Hint: "write the function out", Example: "import functools"},
	{Pattern: "itertools", Hint: "write loops or comprehensions", Example: "import itertools"},
	{Pattern: "jax", As: "jnp", Hint: "T has symbolic tensors and grad", Example: "import jax"},
	{Pattern: "keras", Hint: "T.nnet has the functions of layers", Example: "import keras"},
	{Pattern: "logging", Hint: "print writes to the output", Example: "import logging"},
	{Pattern: "matplotlib", As: "plt pyplot", Hint: "plot is not in Arignote yet", Example: "import matplotlib"},
	{Pattern: "os", Hint: "paths are relative to the notebook; %cd changes where", Example: "import os"},
	{Pattern: "pandas", As: "pd", Hint: "np.loadtxt and np.genfromtxt read tables", Example: "import pandas"},
	{Pattern: "pickle", Hint: "np.save, np.savez and json.dumps keep values", Example: "import pickle"},
	{Pattern: "pylab", Hint: "np has the functions of arrays", Example: "import pylab"},
	{Pattern: "random", Hint: "np.random has random numbers", Example: "import random"},
	{Pattern: "re", Hint: "text has .split, .replace and .find", Example: "import re"},
	{Pattern: "scipy", Hint: "np and np.linalg are there", Example: "import scipy"},
	{Pattern: "sklearn", Hint: "np and T are there", Example: "import sklearn"},
	{Pattern: "sys", Hint: "print(file=\"stderr\") writes to stderr", Example: "import sys"},
	{Pattern: "tensorflow", As: "tf", Hint: "T has symbolic tensors and grad", Example: "import tensorflow"},
	{Pattern: "timeit", Hint: "%timeit measures", Example: "import timeit"},
	{Pattern: "torch", Hint: "T has symbolic tensors and grad", Example: "import torch"},
	{Pattern: "typing", Hint: "annotations are read and ignored; leave the import out", Example: "import typing"},
	{Pattern: "warnings", Hint: "print(file=\"stderr\") warns", Example: "import warnings"},
}
