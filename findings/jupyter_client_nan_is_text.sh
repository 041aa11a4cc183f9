#!/usr/bin/env bash
# jupyter_client sends the number nan as the text "nan".
#
# Guess: JSON has no nan, so a message with one is an error, or has null, or JavaScript's NaN.
# Seen, jupyter_client 7.4.9 (Debian 12): Session.serialize makes the strings "nan" and "inf" of
# them, in comm messages and display data, and reads strings back. The numbers beside them stay
# numbers.
#
# A widget's value or a chart's point that was a number is a string on the other side, where
# comparing and adding it gives neither an error nor nan: "nan" + 1 is "nan1".
# Needs apt (Debian 12, amd64), python3 3.11 and libzmq5; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -o APT::Sandbox::User=root download -qq python3-jupyter-client=7.4.9-2 python3-jupyter-core=4.12.0-1 python3-traitlets=5.5.0-1 \
	python3-dateutil=2.8.2-2 python3-six=1.16.0-4 python3-entrypoints=0.4-2 python3-nest-asyncio=1.5.4-1 python3-tornado=6.2.0-3+deb12u4 \
	python3-zmq=24.0.1-4+b1 python3-decorator=5.1.1-3 python3-packaging=23.0-1
for deb in *.deb; do dpkg -x "$deb" root; done
env -i PATH=/usr/bin HOME="$dir" PYTHONPATH="$dir/root/usr/lib/python3/dist-packages" /usr/bin/python3 -S -W ignore - <<'PY' | tee seen
import jupyter_client
from jupyter_client.session import Session

session = Session(key=b"k")
print("jupyter_client", jupyter_client.__version__)
for kind, content in (
    ("comm_msg", {"comm_id": "c", "data": {"loss": float("nan"), "step": 3}}),
    ("display_data", {"data": {"application/json": [1.5, float("inf"), float("-inf")]}, "metadata": {}}),
):
    frames = session.serialize(session.msg(kind, content))
    print(frames[-1].decode())
    read = session.deserialize(session.feed_identities(frames)[1])["content"]["data"]
    print({name: type(value).__name__ for name, value in read.items()}, read)
PY
diff seen - <<'SEEN' && echo "as it was"
jupyter_client 7.4.9
{"comm_id": "c", "data": {"loss": "nan", "step": 3}}
{'loss': 'str', 'step': 'int'} {'loss': 'nan', 'step': 3}
{"data": {"application/json": [1.5, "inf", "-inf"]}, "metadata": {}}
{'application/json': 'list'} {'application/json': [1.5, 'inf', '-inf']}
SEEN
