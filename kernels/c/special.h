// Special functions of float64, in special.c. What they are, and their limits, is said in package kernels/special, whose steps they take.

double special_gamma(double x);
double special_gammaln(double x);
double special_digamma(double x);
double special_trigamma(double x);
double special_polygamma(double n, double x);
double special_erfinv(double y);
double special_erfcinv(double y);
double special_erfcx(double x);
double special_gammainc(double a, double x);
double special_gammaincc(double a, double x);
double special_betainc(double a, double b, double x);
double special_gammaincinv(double a, double p);
double special_gammainccinv(double a, double q);
double special_betaincinv(double a, double b, double p);
double special_ndtri_exp(double x);
double special_owens_t(double h, double a);
double special_i0(double x);
double special_i1(double x);
double special_j0(double x);
double special_j1(double x);
double special_iv(double v, double x);
double special_ive(double v, double x);
double special_kv(double v, double x);
double special_kve(double v, double x);
double special_jv(double v, double x);
