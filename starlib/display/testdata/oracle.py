"""Writes ipython.json: what IPython shows for the cells of cells.py."""
import base64, json, os, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

os.chdir(os.path.dirname(os.path.abspath(__file__)))
shell = InteractiveShell.instance(history_manager=None)
results = []
shell.displayhook.write_output_prompt = lambda: None
shell.displayhook.write_format_data = lambda data, metadata=None: results.append({"data": data, "metadata": metadata or {}})
cells = [c.strip("\n") for c in open("cells.py").read().split("# %%\n")]
out = []
for code in cells:
    results.clear()
    with capture_output() as c:
        shell.run_cell(code, store_history=True)
    if "Traceback" in c.stdout:
        sys.exit(code + "\n" + c.stdout)
    outputs = []
    for o in c._outputs + results:
        data = {mime: base64.b64encode(x).decode() if isinstance(x, bytes) else x for mime, x in o["data"].items()}
        outputs.append({"data": data, "metadata": o.get("metadata") or {}, "id": (o.get("transient") or {}).get("display_id", ""), "update": o.get("update", False)})
    out.append({"code": code, "stdout": c.stdout.strip("\n"), "outputs": outputs})
json.dump(out, open("ipython.json", "w"), indent=1, sort_keys=True, ensure_ascii=False)
