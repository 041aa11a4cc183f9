"""Runs notebooks as nbconvert, papermill and Jupyter Book do, by nbclient, and writes them with their outputs.

    /usr/bin/python3 execute.py IN.ipynb OUT.ipynb [IN.ipynb OUT.ipynb ...]

The kernel arignote is found by JUPYTER_PATH. A cell that fails ends the run with its traceback.
"""
import os
import sys

import nbclient
import nbformat


def main(source, target):
    notebook = nbformat.read(source, as_version=4)
    # The dates that record_timing keeps would make every run another file.
    # A notebook is run in its own folder, where the files are that it loads.
    client = nbclient.NotebookClient(notebook, kernel_name="arignote", timeout=120, record_timing=False,
                                     resources={"metadata": {"path": os.path.dirname(os.path.abspath(source))}})
    client.execute()
    nbformat.validate(notebook)
    with open(target, "w", encoding="utf-8") as f:
        nbformat.write(notebook, f)


if __name__ == "__main__":
    for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
        main(source, target)
