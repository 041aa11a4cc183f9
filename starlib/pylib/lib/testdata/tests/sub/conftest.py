import pytest


@pytest.fixture
def shared(shared):
    return shared + " and more"


@pytest.fixture(autouse=True)
def always():
    seen.append("begin")
    yield
    seen.append("end")


seen = []


@pytest.fixture(scope="module")
def log():
    return seen
