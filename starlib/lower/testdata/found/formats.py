for t in ["{:>4}|({1: t, **{2: c}}[1])", "{0}{}", "{}{0}", "{", "}", "{0", "{!z}", "{0.}", "{0[}", "{!}", "{a", "{0!r", "{:.f}", "{:99999999999999999999}", "{0[a]}", "{0.x}", "{5}",
          "{:,x}", "{:+s}", "{b}", "{:5.2d}"]:
    try:
        print(t.format(1, 2))
    except Exception as e:
        print(t, type(e).__name__)
for t in ["%", "%z", "%(a", "d%", "%5", "%(a)s"]:
    try:
        print(t % 1)
    except Exception as e:
        print(t, type(e).__name__)
for t in [".f", ",s", "5.2d", "c", "+x", "q"]:
    for v in (1, 1.5, "a"):
        try:
            print(t, format(v, t) == "\x01")
        except Exception as e:
            print(t, v, type(e).__name__)
try:
    print(f"{1:+s}")
except ValueError:
    print("ValueError")
for x in (None, [1], (1,), {}):
    for t in ("+", ">5", "d"):
        try:
            print("{:{}}".format(x, t))
        except TypeError:
            print("TypeError")
        try:
            print(f"{x:+}")
        except TypeError:
            print("TypeError")
