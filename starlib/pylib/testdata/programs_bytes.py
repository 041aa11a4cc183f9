# Programs with struct, base64, hashlib, zlib, io, gc and platform that print the same in CPython and here.
# %% struct
import struct, json
show = lambda *x: print(json.dumps(x))
for form, values in [("<hBq", (1, 2, -3)), (">I", (4000000000,)), ("!2h", (-1, 32767)), ("@bhilq", (1, 2, 3, 4, 5)), ("bq", (1, 2)), ("=bq", (1, 2)), ("<fd", (1.5, -0.1)), ("<e", (0.1,)), ("<e", (65504.0,)), ("<e", (6e-8,)), ("<3e", (float("inf"), -1.0, 2.0009765625)),
                     ("?c", (True, b"x")), ("5s", (b"ab",)), ("2s", (b"abc",)), ("4p", (b"abcdef",)), ("xBx", (7,)), ("<2i 3f", (1, 2, 1.0, 2.0, 3.0)), ("0i", ()), ("b0q", (1,)), ("", ()), ("<Q", (2**64 - 1,)), ("nN", (-5, 5))]:
    b = struct.pack(form, *values)
    show(form, list(b), struct.calcsize(form), [x.decode("latin1") if isinstance(x, bytes) else x for x in struct.unpack(form, b)] if "inf" not in str(values) else "")
show(struct.unpack_from("<h", b"\x00\x01\x02\x03", 1), list(struct.iter_unpack("<BB", b"\x01\x02\x03\x04")), struct.unpack_from("B", b"abc", -1))
s = struct.Struct("<4sH")
show(s.size, s.format, list(s.pack(b"head", 513)), [str(x) for x in s.unpack(b"head\x01\x02")[1:]], s.unpack_from(b"__head\x01\x00", 2)[1], len(list(s.iter_unpack(b"abcdef" * 3))))
for f in [lambda: struct.pack("<h", 40000), lambda: struct.pack("<h", 1, 2), lambda: struct.unpack("<h", b"a"), lambda: struct.pack("z", 1), lambda: struct.pack("<h", "a"), lambda: struct.pack("<f", "a"), lambda: struct.pack("<s", "a"), lambda: struct.calcsize("3"), lambda: struct.pack("B", -1),
          lambda: struct.pack("<e", 1e6), lambda: list(struct.pack("f", 1e300)), lambda: struct.pack("<f", 1e300), lambda: struct.pack("c", b"ab"), lambda: struct.unpack_from("<i", b"abc", 1), lambda: struct.calcsize("<n"), lambda: struct.pack("<h", 1.5)]:
    try:
        print(f())
    except struct.error as e:
        print("struct.error", type(e).__name__)
    except OverflowError as e:
        print("OverflowError", e)
# %% base64
import base64, json
for b in [b"", b"a", b"ab", b"abc", bytes(range(256)), b"\xfb\xff\xfe?>"]:
    e = base64.b64encode(b)
    print(e.decode(), base64.b64decode(e) == b, base64.urlsafe_b64encode(b).decode(), base64.urlsafe_b64decode(base64.urlsafe_b64encode(b)) == b, base64.b32encode(b).decode()[:40], base64.b32decode(base64.b32encode(b)) == b, base64.b16encode(b).decode()[:20], base64.b16decode(base64.b16encode(b)) == b)
print(base64.encodebytes(b"x" * 100).decode(), base64.decodebytes(b"YW\nJj\n").decode(), base64.b64encode(b"\xfb\xff", altchars=b"-_").decode(), base64.b64decode("YW Jj!").decode(), base64.b64decode(b"YWJj").decode(), base64.standard_b64decode("YWI=").decode(), base64.b16decode("6a6B", casefold=True).decode(), base64.b64decode("YQ==YQ==").decode())
for f in [lambda: base64.b64decode("YW"), lambda: base64.b64decode("Y"), lambda: base64.b64decode("YW!j", validate=True), lambda: base64.b64encode("a"), lambda: base64.b64decode("é"), lambda: base64.b16decode("6g"), lambda: base64.b32decode("a"), lambda: base64.b64decode("YWJjZ")]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, isinstance(e, ValueError), e)
# %% hashlib and zlib
import hashlib, zlib
for name in ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512"]:
    h = hashlib.new(name)
    h.update(b"hello ")
    h.update("wörld".encode())
    print(name, h.hexdigest(), h.name, h.digest_size, h.block_size, len(h.digest()), h.copy().hexdigest() == h.hexdigest(), name in hashlib.algorithms_available)
print(hashlib.md5(b"").hexdigest(), hashlib.sha256(b"x" * 100000).hexdigest(), hashlib.sha1(b"a", usedforsecurity=False).hexdigest(), hashlib.new("SHA256", b"a").name)
for f in [lambda: hashlib.md5("text"), lambda: hashlib.new("nope"), lambda: hashlib.md5(1)]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__)
data = b"abc" * 1000
print(zlib.decompress(zlib.compress(data)) == data, zlib.decompress(zlib.compress(data, 9)) == data, len(zlib.compress(data)) < 100, zlib.crc32(b"hello"), zlib.crc32(b"lo", zlib.crc32(b"hel")), zlib.adler32(b"hello"), zlib.adler32(b"lo", zlib.adler32(b"hel")), zlib.adler32(data * 50, 7), zlib.crc32(b""), zlib.adler32(b""))
for f in [lambda: zlib.decompress(b"abc"), lambda: zlib.decompress(zlib.compress(data)[:-6]), lambda: zlib.compress("a"), lambda: zlib.compress(b"a", 10)]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__)
# %% io
import io, json, csv
f = io.StringIO()
print("a", 1, file=f)
f.write("zwölf\n")
f.writelines(["x\n", "y"])
print(json.dumps([f.getvalue(), f.tell(), f.seek(0), f.read(3), f.readline(), f.tell(), f.readlines(), f.read(), f.tell()]))
f.seek(4)
print(f.write("ZWEI"), json.dumps(f.getvalue()), f.tell(), f.seek(0, 2), f.truncate(3), json.dumps(f.getvalue()))
with io.StringIO("é1\né2\n\nlast") as f:
    print(json.dumps([line for line in f]), f.closed, f.readable(), f.writable(), f.seekable(), f.isatty())
print(f.closed)
for g in [lambda: f.read(), lambda: io.StringIO().write(b"a"), lambda: io.BytesIO().write("a"), lambda: io.StringIO().seek(1, 1), lambda: io.StringIO().seek(-1), lambda: io.BytesIO().seek(0, 5), lambda: io.BytesIO("a")]:
    try:
        g()
    except Exception as e:
        print(type(e).__name__)
f = io.StringIO("abc")
print(json.dumps([f.read(1), next(f), f.read(), f.readline()]), f.seek(5), f.write("x"), len(f.getvalue()))
b = io.BytesIO(b"\x00\x01line\nrest")
print(list(b.read(2)), b.readline().decode(), b.tell(), b.seek(-2, 2), b.read().decode(), b.seek(1), b.write(b"XY"), b.getvalue().decode("latin1")[1:], b.seek(20), b.write(b"z"), len(b.getvalue()), b.seek(0), b.seek(2, 1), b.truncate(), len(b.getvalue()))
out = io.StringIO()
w = csv.writer(out)
w.writerow(["a", "b,c", 1.5])
print(json.dumps(list(csv.reader(io.StringIO(out.getvalue())))), json.load(io.StringIO('{"a": [1, 2]}'))["a"])
json.dump({"k": 1}, out)
print(out.getvalue().splitlines()[-1], isinstance(out, io.StringIO), io.SEEK_END, issubclass(io.UnsupportedOperation, ValueError))
with io.open("t.txt", "w") as g:
    g.write("hi")
print(io.open("t.txt").read())
# %% gc and platform
import gc, platform
gc.disable(); gc.enable()
print(gc.isenabled(), gc.collect() >= 0, gc.get_threshold()[0] >= 0, platform.system(), platform.architecture()[0], platform.python_version_tuple()[0], platform.machine() == platform.uname().machine if hasattr(platform, "uname") else True)
# %% what encodings do not have
text = "a\u00e9\u20ac\U0001f600z"
for name in ["ignore", "replace", "backslashreplace", "xmlcharrefreplace"]:
    print(name, text.encode("ascii", name).decode(), text.encode("latin-1", errors=name).hex(), text.encode("utf8", name) == text.encode())
for data in [b"a\xffb", b"\xe2\x82", b"\xe2\x82z\xc3", b"\xc3\xa9", b"\xf0\x9f\x98\x80\x80", b"\xed\xa0\x80"]:
    for name in ["ignore", "replace", "backslashreplace"]:
        print(name, data.decode("utf-8", name).encode().hex(), data.decode("ascii", errors=name).encode().hex())
for f in [lambda: text.encode("ascii"), lambda: b"\xff".decode(), lambda: text.encode("ascii", "no such"), lambda: text.encode("ascii", "strict")]:
    try:
        f()
    except (UnicodeError, LookupError) as e:
        print(type(e).__name__)
print((b"%d %s %5.2f|%-4b|%%|%c" % (3, b"x", 2.5, b"ab", 65)).decode(), (b"%(a)d" % {b"a": 7}).decode(), b"%x" % 255 == b"ff")
try:
    b"%s" % "text"
except TypeError as e:
    print("TypeError")
