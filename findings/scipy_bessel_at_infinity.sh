#!/usr/bin/env bash
# Some of SciPy's Bessel functions have no limit at infinity, and their next of kin have.
#
# Guess: at inf, i0 and i1 are inf, i0e 0, and j0, j1, y0 and k0 0: the limits.
# Seen, SciPy 1.10.1 (Debian 12): k0 and i0e are 0; i0, i1, j0, j1 and y0 are nan.
#
# Who compares special functions with SciPy's over the whole domain needs the limits from elsewhere.
# Needs apt (Debian 12, amd64) and python3 3.11; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -o APT::Sandbox::User=root download -qq python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 python3-decorator=5.1.1-3 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for deb in *.deb; do dpkg -x "$deb" root; done
lib=$dir/root/usr/lib
export PYTHONPATH=$lib/python3/dist-packages LD_LIBRARY_PATH=$lib/x86_64-linux-gnu:$lib/x86_64-linux-gnu/blas:$lib/x86_64-linux-gnu/lapack
/usr/bin/python3 -W ignore - <<'PY' | tee seen
import scipy, scipy.special as s
print("SciPy", scipy.__version__)
for name in ("i0", "i1", "i0e", "j0", "j1", "k0", "y0"):
    print(name, getattr(s, name)(float("inf")))
PY
diff seen - <<'SEEN' && echo "as it was"
SciPy 1.10.1
i0 nan
i1 nan
i0e 0.0
j0 nan
j1 nan
k0 0.0
y0 nan
SEEN
