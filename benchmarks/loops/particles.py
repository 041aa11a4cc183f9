"""Particles that fall and bounce: objects with float fields and two methods. Its time is that of a step of one."""
from timing import report

COUNT, STEPS = 20, 500


class Particle:
    def __init__(self, height, speed):
        self.height = height
        self.speed = speed

    def fall(self, dt):
        self.speed -= 9.81 * dt
        self.height += self.speed * dt
        if self.height < 0.0:
            self.height = -self.height
            self.speed = -0.9 * self.speed

    def energy(self):
        return 9.81 * self.height + 0.5 * self.speed * self.speed


def main(n):
    all_of_them = [Particle(1.0 + 0.1 * i, 0.5 * i) for i in range(n)]
    total = 0.0
    for _ in range(STEPS):
        for p in all_of_them:
            p.fall(0.001)
            total += p.energy()
    return "%.9e" % total


report(main, COUNT, COUNT * STEPS)
