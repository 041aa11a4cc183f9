# Programs with pathlib, glob, shutil and tempfile that print the same in CPython and here.
# %% pathlib: pure
from pathlib import Path, PurePath
import json
show = lambda *x: print(json.dumps(x))
for t in ["", ".", "/", "//a", "a", "a/b.tar.gz", "/a//b/../c.py/", "./a/.x", ".bashrc", "a.", "..", "a/b/", "~/x", "a b/c d.txt"]:
    p = PurePath(t)
    show(t, str(p), p.name, p.stem, p.suffix, p.suffixes, str(p.parent), list(p.parts), p.root, p.anchor, p.drive, p.is_absolute(), [str(q) for q in p.parents], p.as_posix(), str(p / "x"), str("y" / p), str(p.joinpath("u", "/v", "w")))
p = PurePath("/home/user/model.v1.npz")
show(str(p.with_name("a")), str(p.with_suffix(".txt")), str(p.with_suffix("")), str(p.with_stem("z")), str(p.relative_to("/home")), p.is_relative_to("/home/user"), p.is_relative_to("/x"), p.match("*.npz"), p.match("user/*.npz"), p.match("/home/*"), p.match("*.py"))
show(PurePath("a") == PurePath("a/."), PurePath("a") == "a", PurePath("a") < PurePath("b"), sorted([str(x) for x in sorted([PurePath("b/a"), PurePath("a/z"), PurePath("a")])]), {PurePath("a"): 1}[PurePath("a")], isinstance(Path("a"), PurePath), isinstance(PurePath("a"), Path), type(Path("a")).__name__, str(Path("a", "b", PurePath("c"))))
for f in [lambda: PurePath("a").relative_to("b"), lambda: PurePath("/").with_name("a"), lambda: PurePath("a").with_suffix("txt"), lambda: PurePath("a").with_name("b/c"), lambda: PurePath("a") / 1, lambda: PurePath(1), lambda: PurePath("a").match("")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
print(f"{PurePath('a/b')}", "%s" % PurePath("c"))
# %% pathlib: files
from pathlib import Path
import os, json
root = Path("data")
root.mkdir()
(root / "sub" / "deep").mkdir(parents=True)
(root / "sub").mkdir(exist_ok=True)
print((root / "a.txt").write_text("héllo\nworld\n"), (root / "b.bin").write_bytes(b"\x00\x01"), (root / "sub" / "c.txt").write_text("c"), (root / "sub" / "deep" / "d.py").write_text(""), (root / ".hidden").touch())
show = lambda it: print(json.dumps(sorted(str(p) for p in it)))
show(root.iterdir()); show(root.glob("*.txt")); show(root.glob("**/*.txt")); show(root.rglob("*.txt")); show(root.rglob("*")); show(root.glob("**")); show(root.glob("*/*")); show(root.glob("s?b/[cd].*")); show(root.glob("nothing/*")); show(Path(".").glob("data/*.bin")); show(root.glob("sub/c.txt")); show(Path().glob("*")); show(root.glob("*/"))
a = root / "a.txt"
print(json.dumps(a.read_text()), (root / "b.bin").read_bytes() == b"\x00\x01", a.exists(), a.is_file(), a.is_dir(), root.is_dir(), (root / "no").exists(), a.stat().st_size, a.is_symlink())
with a.open() as f:
    print([line.strip() for line in f] == ["héllo", "world"])
with open(a, "a") as f:
    f.write("!")
print(os.path.getsize(a), os.path.exists(a), os.path.join(root, "x"), os.path.basename(a), json.dumps(sorted(os.listdir(root))), os.path.isfile(root / "a.txt"))
b = a.rename(root / "z.txt")
print(b, b.exists(), a.exists(), Path.cwd() == Path(".").resolve(), (Path("data") / ".." / "data").resolve() == root.resolve(), root.absolute().is_absolute(), root.samefile("data/../data"))
b.unlink(); a.unlink(missing_ok=True)
(root / "sub" / "deep" / "d.py").unlink(); (root / "sub" / "deep").rmdir()
for f in [lambda: a.unlink(), lambda: root.mkdir(), lambda: Path("q/r").mkdir(), lambda: root.rmdir(), lambda: Path("no").read_text(), lambda: list(Path("no").iterdir()), lambda: root.read_text(), lambda: Path("no").stat(), lambda: a.write_text(1), lambda: Path("no").resolve(strict=True), lambda: list(root.glob("")), lambda: list(root.glob("/a"))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
# %% glob and shutil
import glob, shutil, os, json
show = lambda x: print(json.dumps(x))
os.makedirs("a/b/c"); os.makedirs("a/.h")
for name in ["a/1.txt", "a/2.txt", "a/10.py", "a/b/3.txt", "a/b/c/4.txt", "a/.dot", "a/.h/5.txt", "a/x[1].txt"]:
    with open(name, "w") as f:
        f.write(name)
for pat in ["a/*.txt", "a/?.*", "a/[12].txt", "a/*", "a/.*", "*/*/*", "a/**/*.txt", "a/b", "a/b/", "no*", "a/*/", "a/x[[]1].txt", "", "a/[!1]*"]:
    show([pat, sorted(glob.glob(pat)), sorted(glob.glob(pat, recursive=True))])
show([sorted(glob.glob("a/**", recursive=True)), sorted(glob.glob("**/*.txt", recursive=True)), sorted(glob.glob("*.txt", root_dir="a")), sorted(glob.iglob("a/*.py")), glob.escape("x[1]*?"), sorted(glob.glob("a/*", include_hidden=True)), glob.has_magic("a[b"), glob.has_magic("ab")])
show([shutil.copy("a/1.txt", "copy.txt"), shutil.copy("a/2.txt", "a/b"), shutil.copyfile("a/1.txt", "a/b/new.txt"), shutil.copy2("a/1.txt", "a/b/c/4.txt"), open("a/b/c/4.txt").read(), open("copy.txt").read()])
show([shutil.copytree("a", "t"), sorted(glob.glob("t/**/*", recursive=True)), shutil.copytree("a", "u", ignore=shutil.ignore_patterns("*.txt", "c")), sorted(glob.glob("u/**/*", recursive=True, include_hidden=True))])
show([shutil.move("copy.txt", "moved.txt"), os.path.exists("copy.txt"), shutil.move("moved.txt", "t/b"), shutil.move("u", "v"), os.path.isdir("v"), sorted(os.listdir("."))])
shutil.rmtree("t"); shutil.rmtree("nothing", ignore_errors=True); shutil.copytree("a/b", "v", dirs_exist_ok=True)
show([sorted(os.listdir(".")), sorted(glob.glob("v/*"))])
for f in [lambda: shutil.rmtree("nothing"), lambda: shutil.rmtree("a/1.txt"), lambda: shutil.copy("nothing", "x"), lambda: shutil.copytree("a", "v"), lambda: shutil.copy("a/1.txt", "a/1.txt"), lambda: shutil.copy("a", "x"), lambda: shutil.move("a/1.txt", "a/b") and shutil.move("a/2.txt", "a/b")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
# %% tempfile
import tempfile, os, json
with tempfile.TemporaryDirectory() as d:
    path = os.path.join(d, "x")
    with open(path, "w") as f:
        f.write("1")
    os.makedirs(os.path.join(d, "a", "b"))
    print(os.path.isdir(d), os.path.basename(d).startswith("tmp"), json.dumps(sorted(os.listdir(d))))
print(os.path.exists(d))
with tempfile.NamedTemporaryFile("w+", suffix=".txt", prefix="pre") as f:
    f.write("hello\nyou")
    f.seek(0)
    print(f.read(), os.path.exists(f.name), os.path.basename(f.name).startswith("pre"), f.name.endswith(".txt"))
print(os.path.exists(f.name), f.closed)
f = tempfile.NamedTemporaryFile(delete=False, dir=".")
f.write(b"kept"); f.close()
print(open(f.name, "rb").read().decode(), os.path.dirname(f.name) == os.getcwd())
os.remove(f.name)
d = tempfile.mkdtemp(prefix="run-", dir=".")
print(os.path.isdir(d), os.path.basename(d)[:4], os.path.isabs(tempfile.gettempdir()))
with tempfile.TemporaryFile() as f:
    f.write(b"ab"); f.seek(1)
    print(f.read().decode())
t = tempfile.TemporaryDirectory(suffix="_x", dir=".")
print(t.name.endswith("_x"), os.path.isdir(t.name), t.cleanup(), os.path.isdir(t.name))
