import statistics as st
from statistics import mean, median, stdev
d = [2, 4, 4, 4, 5, 5, 7, 9]
f = [1.5, 2.5, 4.0, 8.25, 0.125]
print(mean(d), mean(f), mean([1, 2]), st.fmean(d), st.fmean(f, [1, 2, 3, 4, 5]), median(d), median([3, 1, 2]), st.median_low(d), st.median_high(d), st.median_grouped([1, 2, 2, 3]))
print(st.mode(d), st.multimode([1, 1, 2, 2, 3]), st.pvariance(d), st.variance(d), st.pstdev(d), st.stdev(d), st.variance(f), st.pvariance([1, 2, 3, 4]))
print(st.quantiles(d), st.quantiles(d, n=5, method="inclusive"), round(st.harmonic_mean([40, 60]), 9), round(st.geometric_mean([54, 24, 36]), 9))
print(st.covariance([1, 2, 3], [4, 5, 7]), round(st.correlation([1, 2, 3], [4, 5, 7]), 12), st.linear_regression([1, 2, 3], [2, 4, 6]).slope)
n = st.NormalDist(10, 2)
print(n, n.mean, n.variance, round(n.pdf(11), 12), round(n.cdf(12), 12), n.zscore(14))
for g in [lambda: mean([]), lambda: stdev([1]), lambda: median([]), lambda: st.mode([])]:
    try:
        g()
    except st.StatisticsError as e:
        print(e)
