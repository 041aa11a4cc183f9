"""A small world with walls: values by iteration, a policy from them, and Q-learning that finds it too."""
import random
from collections import defaultdict, namedtuple

MAP = """
....G
.##.X
...#.
S....
"""

Move = namedtuple("Move", "name dy dx")
MOVES = (Move("^", -1, 0), Move("v", 1, 0), Move("<", 0, -1), Move(">", 0, 1))


class World:
    """States are places; G and X end an episode."""
    rewards = {"G": 1.0, "X": -1.0}

    def __init__(self, text, slip=0.1, cost=0.02):
        self.rows = text.strip().splitlines()
        self.slip, self.cost = slip, cost
        self.cells = {(y, x): c for y, row in enumerate(self.rows) for x, c in enumerate(row) if c != "#"}
        (self.start,) = [place for place, c in self.cells.items() if c == "S"]

    def ends(self, place):
        return self.cells[place] in self.rewards

    def reward(self, place):
        return self.rewards.get(self.cells[place], -self.cost)

    def shifted(self, place, move):
        to = (place[0] + move.dy, place[1] + move.dx)
        return to if to in self.cells else place

    def outcomes(self, place, move):
        sideways = [m for m in MOVES if (m.dy == 0) != (move.dy == 0)]
        yield 1 - self.slip, self.shifted(place, move)
        for m in sideways:
            yield self.slip / 2, self.shifted(place, m)

    def __iter__(self):
        return iter(sorted(self.cells))


class Planner(object):
    gamma = 0.95

    def __init__(self, world):
        self.world = world
        self.values = {place: 0.0 for place in world}

    def worth(self, place, move):
        return sum(p * (self.world.reward(to) + (0 if self.world.ends(to) else self.gamma * self.values[to]))
                   for p, to in self.world.outcomes(place, move))

    def solve(self, tolerance=1e-9):
        sweeps = 0
        while True:
            change, sweeps = 0.0, sweeps + 1
            for place in self.world:
                if self.world.ends(place):
                    continue
                new = max(self.worth(place, m) for m in MOVES)
                change = max(change, abs(new - self.values[place]))
                self.values[place] = new
            if change < tolerance:
                return sweeps

    def best(self, place):
        return max(MOVES, key=lambda m: self.worth(place, m))


class Learner(Planner):
    """Knows only what it sees."""

    def __init__(self, world, rate=0.2, curiosity=0.3):
        super().__init__(world)
        self.q = defaultdict(float)
        self.rate, self.curiosity = rate, curiosity

    def worth(self, place, move):
        return self.q[place, move.name]

    def episode(self):
        place, total = self.world.start, 0.0
        for _ in range(60):
            move = random.choice(MOVES) if random.random() < self.curiosity else self.best(place)
            u, seen = random.random(), 0.0
            for p, to in self.world.outcomes(place, move):
                seen += p
                if u < seen:
                    break
            r = self.world.reward(to)
            ahead = 0.0 if self.world.ends(to) else self.gamma * max(self.q[to, m.name] for m in MOVES)
            self.q[place, move.name] += self.rate * (r + ahead - self.q[place, move.name])
            place, total = to, total + r
            if self.world.ends(place):
                break
        return total


def policy(agent):
    lines = []
    for y, row in enumerate(agent.world.rows):
        line = ""
        for x, c in enumerate(row):
            line += c if c in "#GX" else agent.best((y, x)).name
        lines.append(line)
    return "\n".join(lines)


world = World(MAP)
planner = Planner(world)
print(planner.solve() > 10, "value of the start: %.6f" % planner.values[world.start])
print(policy(planner))
random.seed(1)
learner = Learner(world)
totals = [learner.episode() for _ in range(600)]
print("first hundred %.6f, last hundred %.6f" % (sum(totals[:100]) / 100, sum(totals[-100:]) / 100))
print("value of the start: %.6f" % max(learner.worth(world.start, m) for m in MOVES))
print("learned as planned at the start:", learner.best(world.start) == planner.best(world.start))
