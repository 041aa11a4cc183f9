import pytest
import numpy as np

@pytest.fixture
def base():
    print("setting up")
    yield [1, 2]
    print("tearing down")

@pytest.fixture(params=[1, 2])
def n(request):
    return request.param

def test_ok(base):
    assert base == [1, 2]

def test_bad(base):
    x = 3
    print("some output")
    assert len(base) == x

@pytest.mark.parametrize("a,b", [(1, 2), (2, 4), (3, 7)])
def test_double(a, b):
    assert 2 * a == b

def test_n(n):
    assert n < 3

def test_raises():
    with pytest.raises(ValueError, match="bad"):
        raise ValueError("a bad value")
    with pytest.raises(ZeroDivisionError):
        1 // 0

def test_not_raised():
    with pytest.raises(KeyError):
        pass

@pytest.mark.skip(reason="later")
def test_skip():
    assert 0

@pytest.mark.skipif(True, reason="cond")
def test_skipif():
    assert 0

@pytest.mark.xfail
def test_xf():
    assert 0

def test_approx():
    assert 0.1 + 0.2 == pytest.approx(0.3)
    assert [0.1 + 0.2, 1] == pytest.approx([0.3, 1])
    assert {"a": 0.1 + 0.2} == pytest.approx({"a": 0.3})
    assert np.array([0.1 + 0.2]) == pytest.approx(np.array([0.3]))
    assert 1.1 != pytest.approx(1)

def test_error():
    {}["x"]

class TestC:
    def setup_method(self):
        self.x = 5
    def test_x(self):
        assert self.x == 5
    @pytest.mark.parametrize("k", [1, 5])
    def test_y(self, k, base):
        assert self.x == k

def test_tmp(tmp_path, capsys, monkeypatch):
    p = tmp_path / "f.txt"
    p.write_text("hi")
    assert p.read_text() == "hi"
    print("hello")
    assert capsys.readouterr().out == "hello\n"
    d = {"a": 1}
    monkeypatch.setitem(d, "a", 2)
    assert d["a"] == 2
def test_conf(shared, counter):
    assert shared == "shared"
    assert counter == 1
def test_conf2(counter):
    assert counter == 1
