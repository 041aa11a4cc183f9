"""Means, medians and deviations."""
import math as _math
from collections import Counter as _Counter


class StatisticsError(ValueError):
    """Too little data."""


def _data(data, name="mean", least=1):
    data = list(data)
    if len(data) < least:
        words = "%s requires at least one data point" % name if least == 1 else "%s requires at least two data points" % name
        raise StatisticsError(words)
    return data


def _sum(data):
    return sum(data) if all([isinstance(x, int) for x in data]) else _math.fsum(data)


def _ratio(a, b):
    # a / b of ints of any size, a not negative, rounded once.
    if a < 9007199254740992 and b < 9007199254740992:
        return a / b
    shift = 64 - (a.bit_length() - b.bit_length())
    q, rest = divmod(a << shift, b) if shift >= 0 else divmod(a, b << -shift)
    return _math.ldexp(float(q | (1 if rest else 0)), -shift)


def _exact(total, n):
    if isinstance(total, int) and total % n == 0:
        return total // n
    return total / n


def mean(data):
    """The mean."""
    data = _data(data)
    return _exact(_sum(data), len(data))


def fmean(data, weights=None):
    """The mean as a float, with weights."""
    data = [float(x) for x in _data(data, "fmean")]
    if weights is None:
        return _math.fsum(data) / len(data)
    weights = [float(w) for w in weights]
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    if sum(weights) == 0:
        raise StatisticsError("sum of weights must be non-zero")
    return _math.fsum([x * w for x, w in zip(data, weights)]) / _math.fsum(weights)


def geometric_mean(data):
    """The n-th root of the product."""
    return _math.exp(fmean([_math.log(x) for x in _data(data, "geometric mean")]))


def harmonic_mean(data, weights=None):
    """The reciprocal of the mean of the reciprocals."""
    data = _data(data, "harmonic_mean")
    if any([x < 0 for x in data]):
        raise StatisticsError("harmonic mean does not support negative values")
    if any([x == 0 for x in data]):
        return 0
    weights = [1] * len(data) if weights is None else list(weights)
    return sum(weights) / _math.fsum([w / x for x, w in zip(data, weights)])


def median(data):
    """The middle one, or the mean of the two in the middle."""
    data = sorted(_named(data, "median"))
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def _named(data, name):
    data = list(data)
    if not data:
        raise StatisticsError("no %s for empty data" % name)
    return data


def median_low(data):
    """The middle one, or the lower of the two in the middle."""
    data = sorted(_named(data, "median"))
    return data[(len(data) - 1) // 2]


def median_high(data):
    """The middle one, or the higher of the two in the middle."""
    data = sorted(_named(data, "median"))
    return data[len(data) // 2]


def median_grouped(data, interval=1):
    """The median of data that stand for intervals around them."""
    data = sorted(_named(data, "median"))
    n = len(data)
    x = data[n // 2]
    below, equal = len([v for v in data if v < x]), data.count(x)
    return float(x) - interval / 2 + interval * (n / 2 - below) / equal


def mode(data):
    """The one that is there most often, the first of several."""
    return _Counter(_named(data, "mode")).most_common(1)[0][0]


def multimode(data):
    """All those that are there most often."""
    counts = _Counter(list(data))
    most = max(counts.values()) if counts else 0
    return [x for x, n in counts.items() if n == most]


def _squares(data, center):
    if center is None:
        n = len(data)
        if all([isinstance(x, int) for x in data]):
            total = sum(data)
            return (n * sum([x * x for x in data]) - total * total) / n
        center = _math.fsum(data) / n
    return _math.fsum([(x - center) ** 2 for x in data])


def _spread(data, center, name, least, less):
    data = _data(data, name, least)
    n = len(data) - less
    if center is None and all([isinstance(x, (int, float)) and abs(x) < 1e300 for x in data]):
        whole = all([isinstance(x, int) for x in data])
        ratios = [(int(x), 1) if isinstance(x, int) else float(x).as_integer_ratio() for x in data]
        scale = max([d for _, d in ratios])  # powers of two
        ints = [a * (scale // d) for a, d in ratios]
        m, total = len(ints), sum(ints)
        above, below = m * sum([x * x for x in ints]) - total * total, m * n * scale * scale
        return above // below if whole and above % below == 0 else _ratio(above, below)
    return _squares(data, center) / n


def pvariance(data, mu=None):
    """The variance of all there is."""
    return _spread(data, mu, "pvariance", 1, 0)


def variance(data, xbar=None):
    """The variance, of a sample."""
    return _spread(data, xbar, "variance", 2, 1)


def pstdev(data, mu=None):
    """The standard deviation of all there is."""
    return _math.sqrt(_spread(data, mu, "pstdev", 1, 0))


def stdev(data, xbar=None):
    """The standard deviation, of a sample."""
    return _math.sqrt(_spread(data, xbar, "stdev", 2, 1))


def quantiles(data, *, n=4, method="exclusive"):
    """The n - 1 values that divide the data into n parts of the same size."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError("must have at least two data points")
    out = []
    for i in range(1, n):
        if method == "inclusive":
            j, rest = divmod(i * (size - 1), n)
            out.append((data[j] * (n - rest) + data[min(j + 1, size - 1)] * rest) / n)
        elif method == "exclusive":
            j = i * (size + 1) // n
            j = 1 if j < 1 else size - 1 if j > size - 1 else j
            rest = i * (size + 1) - j * n
            out.append((data[j - 1] * (n - rest) + data[j] * rest) / n)
        else:
            raise ValueError("Unknown method: " + repr(method))
    return out


def _pairs(x, y, name):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError("%s requires that both inputs have same number of data points" % name)
    if len(x) < 2:
        raise StatisticsError("%s requires at least two data points" % name)
    mx, my = _math.fsum(x) / len(x), _math.fsum(y) / len(y)
    return (_math.fsum([(a - mx) * (b - my) for a, b in zip(x, y)]), _math.fsum([(a - mx) ** 2 for a in x]), _math.fsum([(b - my) ** 2 for b in y]), mx, my, len(x))


def covariance(x, y):
    """The covariance, of samples."""
    xy, _, _, _, _, n = _pairs(x, y, "covariance")
    return xy / (n - 1)


def correlation(x, y):
    """Pearson's coefficient of correlation."""
    xy, xx, yy, _, _, _ = _pairs(x, y, "correlation")
    if xx == 0 or yy == 0:
        raise StatisticsError("at least one of the inputs is constant")
    return xy / _math.sqrt(xx * yy)


from collections import namedtuple as _namedtuple
LinearRegression = _namedtuple("LinearRegression", "slope intercept")


def linear_regression(x, y, *, proportional=False):
    """The line with the least squares."""
    if proportional:
        x, y = list(x), list(y)
        return LinearRegression(_math.fsum([a * b for a, b in zip(x, y)]) / _math.fsum([a * a for a in x]), 0.0)
    xy, xx, _, mx, my, _ = _pairs(x, y, "linear regression")
    if xx == 0:
        raise StatisticsError("x is constant")
    slope = xy / xx
    return LinearRegression(slope, my - slope * mx)


class NormalDist:
    """A normal distribution."""

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0:
            raise StatisticsError("sigma must be non-negative")
        self.mean, self.stdev = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        """That of the mean and the deviation of a sample."""
        data = list(data)
        return cls(fmean(data), stdev(data))

    @property
    def variance(self):
        """The square of the deviation."""
        return self.stdev ** 2

    @property
    def median(self):
        """The mean."""
        return self.mean

    def pdf(self, x):
        """The density at x."""
        if self.stdev == 0:
            raise StatisticsError("pdf() not defined when sigma is zero")
        return _math.exp((x - self.mean) ** 2 / (-2.0 * self.variance)) / _math.sqrt(2 * _math.pi * self.variance)

    def cdf(self, x):
        """The probability of at most x."""
        if self.stdev == 0:
            raise StatisticsError("cdf() not defined when sigma is zero")
        return 0.5 * (1.0 + _math.erf((x - self.mean) / (self.stdev * _math.sqrt(2.0))))

    def zscore(self, x):
        """How many deviations x is from the mean."""
        return (x - self.mean) / self.stdev

    def samples(self, n, *, seed=None):
        """n numbers that are drawn."""
        import random
        r = random if seed is None else random.Random(seed)
        return [r.gauss(self.mean, self.stdev) for _ in range(n)]

    def __repr__(self):
        return "NormalDist(mu=%s, sigma=%s)" % (repr(self.mean), repr(self.stdev))

    def __eq__(self, other):
        return isinstance(other, NormalDist) and (self.mean, self.stdev) == (other.mean, other.stdev)
