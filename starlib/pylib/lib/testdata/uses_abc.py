import abc, numbers
from abc import ABC, ABCMeta, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self):
        return 0
    @property
    @abstractmethod
    def name(self):
        pass
    @classmethod
    @abstractmethod
    def make(cls):
        pass
    def twice(self):
        return 2 * self.area()
for make in [lambda: Shape()]:
    try:
        make()
    except TypeError as e:
        print(e)
class Half(Shape):
    def area(self):
        return super().area() + 4
    @classmethod
    def make(cls):
        return cls()
try:
    Half()
except TypeError as e:
    print(e)
class Square(Half):
    name = "square"
s = Square.make()
print(s.twice(), s.name, isinstance(s, Shape), issubclass(Square, Shape))
class Plain(metaclass=ABCMeta):
    @abstractmethod
    def f(self): ...
try:
    Plain()
except TypeError as e:
    print(e)
class Other:
    pass
Plain.register(Other)
print(isinstance(Other(), Plain), isinstance(1, Plain), issubclass(Other, Plain))
print(isinstance(3, numbers.Number), isinstance(2.5, numbers.Real), isinstance(2.5, numbers.Integral), isinstance("a", numbers.Number), isinstance(True, numbers.Integral))
