#!/usr/bin/env bash
# scipy.io.savemat leaves out variables whose name begins with an underscore, and says nothing.
#
# Guess: what is in the dict is in the file, or a name that MATLAB does not allow is an error.
# Seen, SciPy 1.10.1 (Debian 12): "_bias" is not in the file, and no warning is given even if all
# warnings are recorded. "1x", which MATLAB does not allow either, is written. Of a struct, the
# field "_bias" is left out as silently.
#
# Parameters of a model that are private by Python's convention are lost on the way.
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
import io, warnings
import scipy
from scipy.io import loadmat, savemat
print("SciPy", scipy.__version__)
def names(variables):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        file = io.BytesIO()
        savemat(file, variables)
    file.seek(0)
    read = loadmat(file)
    return {k: read[k].dtype.names for k in sorted(read) if not k.startswith("__")}, [w.category.__name__ for w in seen]
print("variables", *names({"w": 1.0, "_bias": 2.0, "1x": 3.0}))
print("fields", *names({"s": {"w": 1.0, "_bias": 2.0}}))
PY
diff seen - <<'SEEN' && echo "as it was"
SciPy 1.10.1
variables {'1x': None, 'w': None} []
fields {'s': ('w',)} []
SEEN
