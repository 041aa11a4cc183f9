#!/usr/bin/env bash
# One large or nan value spoils all that follow it in scipy.ndimage's uniform filter.
#
# Guess: a mean over 3 neighbours depends on these 3; a nan or a spike is in 3 results.
# Seen, SciPy 1.10.1 (Debian 12): the filter adds the next value to a running sum and takes off the
# one before. After 1e17 every mean of ones is 0, after a nan or an inf it is nan, to the end of the
# row. Forwards only: the same data reversed has other results. convolve1d with equal weights is
# right.
#
# One dead pixel or one overflow blanks the rest of its row, in one direction.
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
import numpy as np, scipy
from scipy.ndimage import convolve1d, uniform_filter1d
print("SciPy", scipy.__version__)
for spike in (1e17, np.nan, np.inf):
    x = np.array([1, 1, spike, 1, 1, 1, 1])
    print("uniform_filter1d ", uniform_filter1d(x, 3))
    print("reversed         ", uniform_filter1d(x[::-1], 3)[::-1])
    print("convolve1d       ", convolve1d(x, np.ones(3) / 3))
PY
diff seen - <<'SEEN' && echo "as it was"
SciPy 1.10.1
uniform_filter1d  [1.00000000e+00 3.33333333e+16 3.33333333e+16 3.33333333e+16
 0.00000000e+00 0.00000000e+00 0.00000000e+00]
reversed          [0.00000000e+00 3.33333333e+16 3.33333333e+16 3.33333333e+16
 1.00000000e+00 1.00000000e+00 1.00000000e+00]
convolve1d        [1.00000000e+00 3.33333333e+16 3.33333333e+16 3.33333333e+16
 1.00000000e+00 1.00000000e+00 1.00000000e+00]
uniform_filter1d  [ 1. nan nan nan nan nan nan]
reversed          [nan nan nan nan  1.  1.  1.]
convolve1d        [ 1. nan nan nan  1.  1.  1.]
uniform_filter1d  [ 1. inf inf inf nan nan nan]
reversed          [nan inf inf inf  1.  1.  1.]
convolve1d        [ 1. inf inf inf  1.  1.  1.]
SEEN
