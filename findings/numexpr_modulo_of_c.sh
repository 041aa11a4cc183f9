#!/usr/bin/env bash
# numexpr's % has the sign of C for ints, and of Python for floats.
#
# Guess: evaluate("a % b") is a % b, or else it is C's remainder throughout.
# Seen, numexpr 2.8.4 (Debian 12): -7 % 3 is -1 for ints, and 2 for floats; Python and NumPy have 2
# for both. A constant changes it likewise: a % 3 and a % 3.0 differ.
#
# Indices wrapped with % go negative and index from the other end as soon as an expression is moved
# into evaluate, or into DataFrame.eval, which uses it.
# Needs apt (Debian 12, amd64) and python3 3.11; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -o APT::Sandbox::User=root download -qq python3-numexpr=2.8.4-1+b2 python3-packaging=23.0-1 python3-numpy=1:1.24.2-1+deb12u1 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libquadmath0=12.2.0-14+deb12u1
for deb in *.deb; do dpkg -x "$deb" root; done
lib=$dir/root/usr/lib
export PYTHONPATH=$lib/python3/dist-packages LD_LIBRARY_PATH=$lib/x86_64-linux-gnu:$lib/x86_64-linux-gnu/blas:$lib/x86_64-linux-gnu/lapack
/usr/bin/python3 -W ignore - <<'PY' | tee seen
import numexpr, numpy as np
print("numexpr", numexpr.__version__)
a, b = np.array([-7, 7]), np.array([3, -3])
print("ints %", numexpr.evaluate("a % b"), "NumPy", a % b)
print("ints % constant", numexpr.evaluate("a % 3"), "float constant", numexpr.evaluate("a % 3.0"))
a, b = a * 1.0, b * 1.0
print("floats %", numexpr.evaluate("a % b"), "NumPy", a % b)
PY
diff seen - <<'SEEN' && echo "as it was"
numexpr 2.8.4
ints % [-1  1] NumPy [ 2 -2]
ints % constant [-1  1] float constant [2. 1.]
floats % [ 2. -2.] NumPy [ 2. -2.]
SEEN
