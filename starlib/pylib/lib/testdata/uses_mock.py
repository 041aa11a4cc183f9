from unittest import mock
from unittest.mock import ANY, DEFAULT, MagicMock, Mock, PropertyMock, call, patch, sentinel

m = Mock(return_value=3, shape=(1, 2))
print(m(1, a=2), m.shape, m.called, m.call_count, m.call_args == call(1, a=2), m.call_args[0], m.call_args[1] == {"a": 2})
print(m.call_args.args)
m.assert_called_with(1, a=2)
m.assert_called_once_with(ANY, a=2)
m.f.g(5)
m.f.g.assert_called_once_with(5)
print(m.mock_calls == [call(1, a=2), call.f.g(5)], m.method_calls == [call.f.g(5)], m.f is m.f, m.f is not m.g)
for check in [lambda: m.assert_called_with(2), lambda: m.assert_not_called(), lambda: m.h.assert_called_once(), lambda: m.assert_any_call(9)]:
    try:
        check()
    except AssertionError as e:
        print("AssertionError", str(e).split(".")[0].split("\n")[0].replace("'", ""))
s = Mock(side_effect=[1, 2, ValueError("third")])
print(s(), s())
try:
    s()
except ValueError as e:
    print(e)
e = Mock(side_effect=lambda x: x * 2)
print(e(4), [c[0] for c in e.call_args_list])
e.reset_mock()
print(e.called, e.call_args, e(5))
d = Mock(side_effect=lambda: DEFAULT, return_value=7)
print(d())


class Layer:
    kind = "dense"

    def output(self, x):
        return x


spec = Mock(spec=Layer)
print(isinstance(spec, Layer), hasattr(spec, "output"), hasattr(spec, "nothing"))
limited = Mock(spec=["a", "b"])
try:
    limited.c
except AttributeError as err:
    print("AttributeError", err)
g = MagicMock()
print(len(g), 3 in g, list(g), int(g), bool(g))
g.__len__.return_value = 4
g.__getitem__.side_effect = lambda i: i + 1
print(len(g), g[2])
with g as entered:
    print(entered is g.__enter__.return_value)
k = Mock()
k.__len__ = Mock(return_value=9)
print(len(k))
k.configure_mock(**{"a.b.return_value": 4, "c": 5})
print(k.a.b(), k.c)
print(sentinel.one is sentinel.one, sentinel.one)


def root(x):
    return x ** 0.5


with patch(__name__ + ".root", return_value=-1) as patched:
    print(root(4), patched.call_count)
print(root(4))
with patch.object(Layer, "kind", "conv"):
    print(Layer.kind)
print(Layer.kind)


@patch.object(Layer, "output")
def test(output):
    output.return_value = "mocked"
    return Layer().output(3)


print(test(), Layer().output(3))
config = {"a": 1}
with patch.dict(config, {"b": 2}):
    print(config == {"a": 1, "b": 2})
print(config == {"a": 1})
p = patch.object(Layer, "kind", "started")
p.start()
print(Layer.kind)
p.stop()
print(Layer.kind)


class Holder:
    value = 1


with patch.object(Holder, "value", new_callable=PropertyMock) as prop:
    prop.return_value = 8
    print(Holder().value)
o = mock.mock_open(read_data="a\nb\n")
with o("f") as f:
    print(repr(f.read()) == repr("a\nb\n"))
w = Mock(wraps=Layer())
print(w.output(6))
a = MagicMock()
a.b(1)
a.c(2)
a.assert_has_calls([call.b(1), call.c(2)])
a.assert_has_calls([call.c(2), call.b(1)], any_order=True)
print(repr(call(1, b=2)), repr(call.x(3)))
del a.b
print(hasattr(a, "b"), hasattr(a, "d"))
