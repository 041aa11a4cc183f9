inf = float("inf"); nan = float("nan")
def t(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)
for n, x in [("inf", inf), ("-inf", -inf), ("nan", nan)]:
    t("int " + n, lambda: int(x)); t("round " + n, lambda: round(x)); t("round2 " + n, lambda: round(x, 2))
    t("%d " + n, lambda: "%d" % x); t("%5i " + n, lambda: "%5i" % x); t("%u " + n, lambda: "%u" % (x,)); t("%x " + n, lambda: "%x" % x)
    t("ratio " + n, lambda: x.as_integer_ratio()); t("hex " + n, lambda: x.hex()); t("is " + n, lambda: x.is_integer())
    t("real " + n, lambda: (x.real, x.imag, x.conjugate()))
for x in [0, 1, -1, 255, 256, -128, -129, 1 << 63, -(1 << 64), 10 ** 30, True, False]:
    print(x.real, x.imag, x.numerator, x.denominator, x.conjugate(), x.bit_length(), x.bit_count(), x.as_integer_ratio())
    for size in [1, 2, 9, 13]:
        for order in ["big", "little"]:
            for signed in [False, True]:
                t("to " + str((size, order, signed)), lambda: x.to_bytes(size, order, signed=signed).hex())
                t("back", lambda: int.from_bytes(x.to_bytes(size, order, signed=signed), order, signed=signed) == x)
print(int.from_bytes([1, 2, 255], "little"), int.from_bytes(b"", "big"), (5).from_bytes(b"\xff", "big", signed=True), int.from_bytes((1, 0), byteorder="big"))
t("order", lambda: (1).to_bytes(1, "middle")); t("size", lambda: (1).to_bytes(-1, "big")); t("bytes", lambda: int.from_bytes([256], "big")); t("bytes", lambda: int.from_bytes("a", "big"))
for x in [0.0, -0.0, 1.0, -1.5, 0.1, 1e308, -1e-308, 5e-324, 3.14159, 2.0 ** 60]:
    print(x.real, x.imag, x.conjugate(), x.hex(), float.fromhex(x.hex()) == x, x.is_integer(), x.as_integer_ratio())
for s in ["0x1.8p+1", "-0x.8", "1.8", " ff ", "inf", "-Infinity", "nan", "0x1p-1080", "0x1p1024", "", "0x", "g", "0x1_0", "1p", "0x1.8P3", "+a"]:
    t("fromhex " + repr(s), lambda: float.fromhex(s))
t("fromhex", lambda: float.fromhex(3))
print(getattr(5, "real"), hasattr(5, "numerator"), hasattr(5.0, "numerator"), [x.real for x in [1, 2.5, True]], sum(v.imag for v in [1, 2.5]))
print({1: 2, 1.0: 3}, {1: "a", True: "b"}, {"a": 1, "b": 2, "a": 3}, {**{1: 2}, 1: 3}, {k: 1 for k in [1, 1.0]}, {(1,): 1, (1.0,): 2})
def same(k):
    return {k: 1, "x": 2, k: 3}
print(same("x"), same(1))
