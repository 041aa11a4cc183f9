#!/usr/bin/env bash
# nbconvert's HTML prefers an SVG to a PNG, and then takes all of the drawing out of it.
#
# Guess: an output that has image/svg+xml and image/png is on the page as one of the two.
# Seen, nbconvert 6.5.3 (Debian 12), exporter HTML, nothing asked of it that sanitizes: the page has
# an empty element svg in the templates lab and classic. The shapes and the viewBox are gone, the
# PNG is not used, and nothing warns. Where the PNG stands alone it is there.
#
# Who gives figures as both, for the front end to choose, has blanks on such pages: a setting has to
# leave out the SVG.
# Needs apt (Debian 12, amd64), python3 3.11, libzmq5 and libxslt1.1; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -o APT::Sandbox::User=root download -qq python3-nbconvert=6.5.3-3 python3-nbformat=5.5.0-1 python3-nbclient=0.7.2-1 python3-jupyter-client=7.4.9-2 \
	python3-jupyter-core=4.12.0-1 python3-traitlets=5.5.0-1 python3-jinja2=3.1.2-1+deb12u3 python3-markupsafe=2.1.2-1+b1 \
	python3-bleach=5.0.1-2 python3-html5lib=1.1-3 python3-tinycss2=1.2.1-2 python3-webencodings=0.5.1-5 python3-six=1.16.0-4 python3-bs4=4.11.2-2 \
	python3-soupsieve=2.3.2-1 python3-lxml=4.9.2-1+deb12u1 python3-defusedxml=0.7.1-2 python3-jsonschema=4.10.3-1 python3-fastjsonschema=2.16.3-2 \
	python3-attr=22.2.0-1 python3-pyrsistent=0.18.1-1+b3 python3-packaging=23.0-1 python3-pandocfilters=1.5.0-1 python3-pygments=2.14.0+dfsg-1 \
	python3-jupyterlab-pygments=0.2.2-3 python3-entrypoints=0.4-2 python3-dateutil=2.8.2-2 python3-nest-asyncio=1.5.4-1 python3-tornado=6.2.0-3+deb12u4 \
	python3-zmq=24.0.1-4+b1
for deb in *.deb; do dpkg -x "$deb" root; done
env -i PATH=/usr/bin HOME="$dir" PYTHONPATH="$dir/root/usr/lib/python3/dist-packages" JUPYTER_PATH="$dir/root/usr/share/jupyter" \
	/usr/bin/python3 -S -W ignore - <<'PY' | tee seen
import nbconvert
from nbformat.v4 import new_code_cell, new_notebook, new_output

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>'
PNG = "iVBORw0KGgo="

def page(data, template):
    outputs = [new_output("display_data", data)]
    notebook = new_notebook(cells=[new_code_cell("draw()", execution_count=1, outputs=outputs)])
    text, _ = nbconvert.HTMLExporter(template_name=template).from_notebook_node(notebook)
    return text

print("nbconvert", nbconvert.__version__)
for template in ("lab", "classic"):
    both = page({"image/svg+xml": SVG, "image/png": PNG}, template)
    alone = page({"image/png": PNG}, template)
    print(template, "- empty svg:", "<svg></svg>" in both, "- shapes:", "<circle cx" in both,
          "- PNG:", PNG in both, "- PNG alone:", PNG in alone)
PY
diff seen - <<'SEEN' && echo "as it was"
nbconvert 6.5.3
lab - empty svg: True - shapes: False - PNG: False - PNG alone: True
classic - empty svg: True - shapes: False - PNG: False - PNG alone: True
SEEN
