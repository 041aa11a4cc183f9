"""Differential geometry: metrics, Christoffel symbols and geodesics of surfaces, by jacobian and hessian."""
import numpy as np
import theano
import theano.tensor as T


class Surface(object):
    """A surface in space, given by its coordinates."""
    name = "surface"

    def __init__(self):
        q = T.vector("q")
        u, v = q[0], q[1]
        X = T.stack(list(self.embed(u, v)))
        J = theano.gradient.jacobian(X, q)
        g = T.dot(J.T, J)
        n = T.stack([J[1, 0] * J[2, 1] - J[2, 0] * J[1, 1], J[2, 0] * J[0, 1] - J[0, 0] * J[2, 1], J[0, 0] * J[1, 1] - J[1, 0] * J[0, 1]])
        n = n / T.sqrt(T.sum(n ** 2))
        # second derivatives of each coordinate
        H = [theano.gradient.hessian(X[k], q) for k in range(3)]
        second = sum(n[k] * H[k] for k in range(3))
        curvature = T.nlinalg.det(second) / T.nlinalg.det(g)
        lowered = T.stack([sum(J[k, c] * H[k] for k in range(3)) for c in range(2)])
        gamma = T.tensordot(T.nlinalg.matrix_inverse(g), lowered, axes=[[1], [0]])
        self.at = theano.function([q], X)
        self.metric = theano.function([q], g)
        self.curvature = theano.function([q], curvature)
        self.christoffel = theano.function([q], gamma)

    def embed(self, u, v):
        raise NotImplementedError(type(self).__name__)

    def acceleration(self, q, p):
        return -np.einsum("cab,a,b->c", self.christoffel(q), p, p)

    def geodesic(self, q, p, time=1.0, steps=20):
        """Runge and Kutta's fourth order."""
        h = time / steps
        for _ in range(steps):
            k1, l1 = p, self.acceleration(q, p)
            k2, l2 = p + h / 2 * l1, self.acceleration(q + h / 2 * k1, p + h / 2 * l1)
            k3, l3 = p + h / 2 * l2, self.acceleration(q + h / 2 * k2, p + h / 2 * l2)
            k4, l4 = p + h * l3, self.acceleration(q + h * k3, p + h * l3)
            q, p = q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), p + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        return q, p

    def speed(self, q, p):
        return np.sqrt(p.dot(self.metric(q)).dot(p))

    def __str__(self):
        return self.name


class Sphere(Surface):
    def __init__(self, radius=2.0):
        self.radius = radius
        super(Sphere, self).__init__()

    @property
    def name(self):
        return "sphere of radius %g" % self.radius

    def embed(self, u, v):
        r = self.radius
        return r * T.sin(u) * T.cos(v), r * T.sin(u) * T.sin(v), r * T.cos(u)


class Torus(Surface):
    name = "torus"

    def embed(self, u, v, R=3.0, r=1.0):
        return (R + r * T.cos(u)) * T.cos(v), (R + r * T.cos(u)) * T.sin(v), r * T.sin(u)


class Saddle(Surface):
    name = "saddle"

    def embed(self, u, v):
        return u, v, u ** 2 - v ** 2


q, p = np.array([0.9, 0.4]), np.array([0.3, -0.5])
for surface in [Sphere(), Torus(), Saddle()]:
    g, G = surface.metric(q), surface.christoffel(q)
    # Christoffel's symbols again, from differences of the metric
    h = 1e-5
    dg = np.array([(surface.metric(q + h * e) - surface.metric(q - h * e)) / (2 * h) for e in np.eye(2)])
    twin = 0.5 * np.einsum("cd,dab->cab", np.linalg.inv(g), np.transpose(dg, (1, 0, 2)) + np.transpose(dg, (1, 2, 0)) - dg)
    assert np.allclose(G, twin, atol=1e-8), (G, twin)
    end, velocity = surface.geodesic(q, p)
    assert abs(surface.speed(end, velocity) - surface.speed(q, p)) < 1e-6
    print("%s: curvature %.6f, end %s" % (surface, surface.curvature(q), " ".join("%.6f" % c for c in surface.at(end))))
sphere = Sphere(1.0)
assert abs(sphere.curvature(q) - 1) < 1e-9
try:
    Surface()
except NotImplementedError as e:
    print("a %s has no coordinates" % e)
