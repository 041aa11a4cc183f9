import unittest
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = [1]
    def setUp(self):
        self.x = 1
    def test_a(self):
        self.assertEqual(self.x, 1)
        self.assertEqual(self.shared, [1])
        with self.assertRaises(ValueError) as c:
            int("x")
        self.assertIsInstance(c.exception, ValueError)
    def test_b(self):
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertIn(1, [1])
    def test_bad(self):
        self.assertEqual(1, 2, "why")
    @unittest.skip("no")
    def test_s(self):
        pass
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 2)
if __name__ == "__main__":
    unittest.main()
