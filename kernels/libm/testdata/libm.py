# Writes libm.txt, what glibc 2.36 on x86-64 with FMA makes of arguments: /usr/bin/python3 libm.py > libm.txt
#
# A line has a function's name and the bits of its arguments and of its result. The arguments are such that every entry of the
# tables is used several times, and every branch: near 1, subnormal, results that overflow, are subnormal or 0, and on both sides
# of the limits.
import ctypes
import math
import random
import struct

libm = ctypes.CDLL("libm.so.6")
r = random.Random(1)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def number(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def around(*limits):
    """The limits, and what is next to them."""
    return [number(bits(x) + d) for x in limits for d in (-1, 0, 1)]


def line(name, *args):
    f = getattr(libm, name)
    f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double] * len(args)
    y = f(*args)
    if y == y:
        print(name, *["%x" % bits(v) for v in (*args, y)])


def step(i):
    """A number of the i-th of 128 steps from 0x1.6p-1, times a power of two."""
    return number(0x3FE6000000000000 + (i << 45) + r.getrandbits(45)) * 2.0 ** r.randint(-30, 30)


for i in range(128):
    for _ in range(5):
        line("log", step(i))
    for _ in range(5):
        line("exp", ((r.randint(-40, 40) + r.random() - 0.5) * 128 + i + r.random() - 0.5) * math.log(2) / 128)
    for _ in range(6):
        x = step(i)
        line("pow", x, r.uniform(-600, 600) / math.log(x))
        line("pow", r.random(), r.uniform(0, 3))
for x in around(1, 1 - 2.0**-4, 1 + 0x109 / 0x1000, 0.6875, 1.375, 2, 2.0**-1022) + [0.0, 5e-324, 1.7976931348623157e308]:
    line("log", x)
for _ in range(200):
    line("log", 1 + r.uniform(-0.0625, 0.0647))
    line("log", 1 + r.uniform(-1, 1) * 2.0 ** -r.randint(4, 52))
    line("log", number(r.getrandbits(52) >> r.randint(0, 51)))
limits = [2.0**-54, 512, 709.782712893384, 1024]
for x in around(*limits, -708.3964185322641, -745.1332191019412, *[-x for x in limits]) + [0.0, -0.0]:
    line("exp", x)
    line("expm1", x)
for _ in range(150):
    line("exp", r.uniform(512, 710))
    line("exp", r.uniform(-708, -512))
    line("exp", r.uniform(-746, -708))
    line("pow", r.uniform(0.1, 0.9), r.uniform(250, 330))
    line("pow", number(r.getrandbits(52) >> r.randint(0, 51)), r.uniform(-1, 1))
    line("pow", 1 + r.uniform(-1, 1) * 2.0 ** -r.randint(1, 52), r.uniform(-1, 1) * 2.0 ** r.randint(0, 60))
    line("expm1", r.uniform(-1.1, 1.1))
    line("expm1", r.uniform(-60, 60))
    line("expm1", r.uniform(-1, 1) * 2.0 ** r.randint(-60, 9))
    line("log1p", -r.random())
    line("log1p", -r.random() * 2.0 ** -r.randint(0, 60))
for i in range(2 * 216):  # half of an interval of acos
    for sign in 1, -1:
        line("acos", sign * (0.125 + (i + r.random()) / 512))
for i in range(100):
    line("acos", r.uniform(-0.125, 0.125))
    line("acos", 1 - 2.0 ** -r.uniform(5, 53))
    line("acos", 2.0 ** -r.uniform(5, 53) - 1)
for x in around(2.0**-55, 0.125, 0.25, 0.5, 0.75, 0.96875):
    line("acos", x)
    line("acos", -x)
for x in 0.0, 1.0, -1.0:
    line("acos", x)
for i in range(600):
    line("cos", (i + r.random()) * math.pi / 600)
for _ in range(100):
    line("cos", math.pi / 2 + r.uniform(-1, 1) * 2.0 ** -r.randint(0, 50))
    line("cos", 2.0 ** -r.uniform(1, 40))
for x in around(2.0**-27, 0.85546875, 0x1368FD / 0x80000, math.pi / 2, math.pi / 2 - 0.126) + [0.0, math.pi]:
    line("cos", x)
for x in around(0.34657359, 1.03972077, 0.25, 38.816243):
    line("expm1", x)
    line("expm1", -x)
for x in 0.0, 2.0**-1074, 0.5, 1.0, 3.0, math.inf:
    for y in -math.inf, -(2.0**63), -2.0, -1.0, -(2.0**-66), 0.0, 2.0**-66, 2.0**-65, 0.5, 1.0, 2.0, 2.0**63, math.inf:
        line("pow", x, y)
for _ in range(300):
    line("log1p", r.random())
    line("log1p", 2.0 ** r.uniform(-1074, 1024))
    line("log1p", 2.0 ** r.uniform(-56, 56))
for x in around(2.0**-54, 2.0**-29, 0x3FDA827A / 2.0**31, 2.0**0.5 - 1, 1, 2, 3, 2.0**53, 2.0**54) + [0.0, -0.0, 1.7976931348623157e308, math.inf, -1.0]:
    line("log1p", x)
    if -1 < -x < 0:
        line("log1p", -x)
for k in range(1, 60):
    for x in around(2.0**k, 2.0**k - 1, 2.0**k * 2**0.5):
        line("log1p", x)
