import traceback, sys
def g(x):
    return 1 // x
def f(x):
    return g(x)
def where(text):
    out = []
    for line in text.split("\n"):
        if "^" in line:
            continue
        if line.startswith('  File "'):
            line = line[line.index('", line'):]
        if line.startswith("ZeroDivisionError"):
            line = "ZeroDivisionError"
        out.append(line)
    return "\n".join(out)
try:
    f(0)
except ZeroDivisionError as e:
    print(where(traceback.format_exc()))
    print(where("".join(traceback.format_exception(e))))
    print(traceback.format_exception_only(type(e), e)[0].startswith("ZeroDivisionError"))
def inner():
    try:
        f(0)
    except ZeroDivisionError:
        return where(traceback.format_exc())
print(inner())
try:
    raise ValueError("plain")
except ValueError as e:
    traceback.print_exc(file=sys.stdout) if False else None
    print(traceback.format_exc().splitlines()[-1], traceback.format_exception_only(e)[0].strip())
try:
    try:
        raise KeyError("a")
    except KeyError as k:
        raise RuntimeError("b") from k
except RuntimeError:
    text = traceback.format_exc()
    print("direct cause" in text, text.strip().splitlines()[-1])
print(traceback.format_exc().strip())
