import pytest


@pytest.mark.parametrize("i", range(200))
def test_many(i):
    assert i * i >= i


def test_inner(shared, log):
    assert shared == "shared and more"
    assert log[-1] == "begin" and log.count("end") == 200


@pytest.mark.parametrize("x", [pytest.param(1, id="one"), pytest.param(2, marks=pytest.mark.xfail)])
@pytest.mark.parametrize("y", ["a", "b"])
def test_both(x, y):
    assert x == 1
