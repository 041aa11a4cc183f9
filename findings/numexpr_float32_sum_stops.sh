#!/usr/bin/env bash
# numexpr's sum of float32 stops at 2**24: it adds one after the other into a float32.
#
# Guess: sum(x) of 2**25 ones is 33554432, as NumPy's, or is added in float64; the mean of equal
# numbers is that number to six digits.
# Seen, numexpr 2.8.4 (Debian 12): 16777216, and the mean of 2**24 times 0.1 is 0.115. One thread
# or two, the blocks it works by do not help: all share one accumulator.
#
# Means and losses of large float32 arrays are wrong in the first or second digit, and more so the
# more data there are.
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
ones = np.ones(2**25, np.float32)
tenths = np.full(2**24, 0.1, np.float32)
for threads in (1, 2):
    numexpr.set_num_threads(threads)
    print("threads", threads, "sum of ones", numexpr.evaluate("sum(ones)"), "NumPy", ones.sum())
    print("threads", threads, "mean of tenths", numexpr.evaluate("sum(tenths)") / tenths.size, "NumPy", tenths.mean())
PY
diff seen - <<'SEEN' && echo "as it was"
numexpr 2.8.4
threads 1 sum of ones 16777216.0 NumPy 33554432.0
threads 1 mean of tenths 0.11534029245376587 NumPy 0.10000161
threads 2 sum of ones 16777216.0 NumPy 33554432.0
threads 2 mean of tenths 0.11534029245376587 NumPy 0.10000161
SEEN
