# Cells that IPython and Arignote show alike: what they display, by MIME type, and what they print. A
# line "# %%" begins a cell. oracle.py writes what IPython shows into ipython.json.
from IPython.display import display, HTML, Markdown, Latex, Math, SVG, Image, JSON, Javascript, Pretty, clear_output, update_display
from IPython.display import publish_display_data, display_html, display_markdown, DisplayHandle
class Each:
    def __repr__(self): return "Each()"
    def _repr_html_(self): return "<b>each</b>"
    def _repr_markdown_(self): return "**each**"
    def _repr_svg_(self): return "<svg></svg>"
    def _repr_png_(self): return b"\x89PNG"
    def _repr_jpeg_(self): return b"\xff\xd8"
    def _repr_latex_(self): return "$x$"
    def _repr_json_(self): return {"a": [1, None, True, 2.5]}
    def _repr_javascript_(self): return "1"
Each()
# %%
display(Each())
# %%
display(Each(), include=["text/html"])
# %%
display(Each(), exclude=["image/png", "image/jpeg"])
# %%
class Meta:
    def __repr__(self): return "Meta()"
    def _repr_png_(self): return b"abc", {"width": 3, "height": 4}
    def _repr_html_(self): return None
Meta()
# %%
class Bundle:
    def __repr__(self): return "Bundle()"
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/vnd.vegalite.v5+json": {"mark": "bar", "data": {"values": [1, 2]}}, "text/html": "<i>bundle</i>"}
    def _repr_html_(self): return "<b>not asked</b>"
    def _repr_latex_(self): return "$asked$"
Bundle()
# %%
class BundleMeta:
    def __repr__(self): return "BundleMeta()"
    def _repr_mimebundle_(self, **kwargs):
        return {"text/plain": "plain", "application/x": 1}, {"application/x": {"embed": True}}
BundleMeta()
# %%
class Itself:
    def _ipython_display_(self): print("by itself")
Itself()
# %%
display(Itself(), 7)
# %%
class NotNow:
    def __repr__(self): return "NotNow()"
    def _repr_html_(self): raise NotImplementedError("not now")
NotNow()
# %%
class Inherits(Each):
    def _repr_html_(self): return "<b>inherits</b>"
    _repr_png_ = None
Inherits()
# %%
class Every:
    def __repr__(self): return "Every()"
    def __getattr__(self, name): return lambda *args, **kwargs: "<b>anything</b>"
Every()
# %%
class OnInstance:
    def __repr__(self): return "OnInstance()"
x = OnInstance()
x._repr_html_ = lambda: "<b>of the instance</b>"
x
# %%
HTML("<b>x</b>")
# %%
display(Markdown("*x*"), Latex("$x$"), Math("$x^2$"), Pretty("as it is"))
# %%
SVG("<?xml version='1.0'?>\n<svg><g/></svg>\n")
# %%
JSON({"a": [1]}, expanded=True)
# %%
JSON('[1, {"b": null}]', root="tree")
# %%
Javascript("1 + 1")
# %%
Image(data=b"\x89PNG\r\n\x1a\nabc", width=3, height=4)
# %%
Image(data=b"\xff\xd8\xffabc", format="jpeg")
# %%
Image(data=b"GIF89aabc", format="gif")
# %%
display({"text/plain": "raw", "application/x": [1]}, raw=True, metadata={"application/x": {"m": 1}})
# %%
display(Meta(), metadata={"image/png": {"width": 9}})
# %%
publish_display_data({"text/plain": "published", "text/html": "<p>"}, {"text/html": {"isolated": True}})
# %%
display_html("<b>raw</b>", raw=True)
# %%
display_html(Each())
# %%
display_markdown("*raw*", raw=True)
# %%
h = display(1, display_id="first")
h.update(2)
update_display(Each(), display_id="first", include=["text/plain"])
h.display(3)
# %%
h2 = DisplayHandle("second")
h2.display(4)
h2.update(5)
print(h2.display_id)
# %%
display(display_id="third")
# %%
display(1, transient={"display_id": "fourth"})
# %%
class P:
    def __init__(self, *x): self.x = x
    def _repr_pretty_(self, p, cycle):
        if cycle:
            p.text("P(...)")
            return
        with p.group(2, "P(", ")"):
            for i, x in enumerate(self.x):
                if i:
                    p.text(",")
                    p.breakable()
                p.pretty(x)
P(1, [2, 3])
# %%
[P(1), P(), (P(2),), {1: P(3, P(4))}]
# %%
P(list(range(40)))
# %%
P(P(P(list(range(20)), 1111111111), 2222222222222222222), list(range(30)), 5)
# %%
{1: P(list(range(28))), 2: [P(1), (list(range(30)), P(2))], 3: P(P(P(P(1))))}
# %%
[P(1111111111, 2222222222), P(3333333333, 4444444444), P(55555555555, 6666666666)]
# %%
loop = [P(1)]
loop.append(loop)
loop
# %%
loop = P(1)
loop.x = (loop, 2)
loop
# %%
class Lines:
    def _repr_pretty_(self, p, cycle):
        p.begin_group(4, "Lines(")
        p.break_()
        p.text("a,")
        p.breakable("")
        p.text("b")
        p.end_group(4, ")")
        with p.indent(3):
            p.break_()
            p.text("c")
        p.breakable("--")
        p.text("d")
        p.flush()
Lines()
# %%
[Lines(), Lines()]
# %%
class Text:
    def __repr__(self): return "two\nlines"
    __str__ = __repr__
[P(Text()), 1]
# %%
class Wide:
    def _repr_pretty_(self, p, cycle):
        for i in range(12):
            with p.group(i, "(" * i, ")"):
                p.text("x" * i)
                p.breakable()
                p.text("y" * (12 - i))
                p.breakable("+")
Wide()
# %%
[Wide()]
# %%
import json
print(HTML("<b>x</b>")._repr_html_(), Markdown("*x*")._repr_markdown_(), Latex("$x$")._repr_latex_(), Math("x^2")._repr_latex_())
print(SVG("<svg></svg>")._repr_svg_(), Javascript("1 + 1")._repr_javascript_(), json.dumps(JSON({"a": [1]})._repr_json_()))
print([hasattr(HTML("x"), name) for name in ["_repr_html_", "_repr_png_", "_repr_latex_", "_repr_nothing_"]].count(True))
print(json.dumps(Image(data=b"\x89PNG\r\n\x1a\nabc", width=3)._repr_png_()).replace("\\n", ""))
class Around:
    def __init__(self, x): self.x = x
    def __repr__(self): return "Around()"
    def _repr_html_(self): return "<div>" + self.x._repr_html_() + "</div>"
Around(HTML("<b>x</b>"))
