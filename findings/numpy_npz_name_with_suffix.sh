#!/usr/bin/env bash
# In an npz file with the arrays "a" and "a.npy", "a.npy" reads as "a".
#
# Guess: savez keeps each array under the name that it was given, and load gives it back.
# Seen, NumPy 1.24.2 (Debian 12): the file lists both names and holds both arrays, but
# load(file)["a.npy"] is the array "a". The other is there only as "a.npy.npy", which is not listed.
# Copying a file by its own list of names makes the loss permanent.
#
# Who stores arrays under the names of the files they came from, beside those of their stems, reads
# another array than was stored, of another shape if luck has it.
# Needs apt (Debian 12, amd64) and python3 3.11; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -o APT::Sandbox::User=root download -qq python3-numpy=1:1.24.2-1+deb12u1 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for deb in *.deb; do dpkg -x "$deb" root; done
lib=$dir/root/usr/lib
export PYTHONPATH=$lib/python3/dist-packages LD_LIBRARY_PATH=$lib/x86_64-linux-gnu:$lib/x86_64-linux-gnu/blas:$lib/x86_64-linux-gnu/lapack
/usr/bin/python3 -W ignore - <<'PY' | tee seen
import io
import numpy as np
print("NumPy", np.__version__)
file = io.BytesIO()
np.savez(file, **{"a": np.arange(2), "a.npy": np.arange(5)})
file.seek(0)
stored = np.load(file)
print("names", stored.files)
for name in stored.files + ["a.npy.npy"]:
    print(name, stored[name])
PY
diff seen - <<'SEEN' && echo "as it was"
NumPy 1.24.2
names ['a', 'a.npy']
a [0 1]
a.npy [0 1]
a.npy.npy [0 1 2 3 4]
SEEN
