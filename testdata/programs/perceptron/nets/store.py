"""Parameters in files, with the version that wrote them."""
import os
import pickle

import nets


class VersionError(ValueError):
    pass


def save(net, path, version=None):
    with open(path, "wb") as f:
        pickle.dump({"version": version or nets.__version__, "state": net.state}, f, protocol=2)
    return os.path.getsize(path) > 100


def load(net, path):
    if not os.path.exists(path):
        raise IOError("no parameters in %s" % os.path.basename(path))
    with open(path, "rb") as f:
        kept = pickle.load(f)
    if kept["version"] != nets.__version__:
        raise VersionError("%s was written by version %s, this is %s" % (path, kept["version"], nets.__version__))
    net.state = kept["state"]
    return net
