"""What later versions of Python do from the start: all of it is so here."""

nested_scopes = generators = division = absolute_import = with_statement = True
print_function = unicode_literals = barry_as_FLUFL = generator_stop = annotations = True
all_feature_names = ["nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function", "unicode_literals", "barry_as_FLUFL",
                     "generator_stop", "annotations"]
