import pytest
@pytest.fixture
def shared():
    return "shared"
calls = []
@pytest.fixture(scope="session")
def counter():
    calls.append(1)
    return len(calls)
