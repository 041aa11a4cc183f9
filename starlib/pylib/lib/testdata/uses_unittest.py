import unittest, sys
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = ["class"]
    def setUp(self):
        self.log.append("up")
        self.addCleanup(self.log.append, "cleanup")
    def tearDown(self):
        self.log.append("down")
    def test_passes(self):
        self.assertEqual(1 + 1, 2)
        self.assertNotEqual(1, 2)
        self.assertTrue([1]); self.assertFalse([])
        self.assertIs(None, None); self.assertIsNot([], []); self.assertIsNone(None); self.assertIsNotNone(1)
        self.assertIn(1, [1]); self.assertNotIn(2, [1]); self.assertIsInstance(1, int); self.assertNotIsInstance(1, str)
        self.assertLess(1, 2); self.assertLessEqual(1, 1); self.assertGreater(2, 1); self.assertGreaterEqual(2, 2)
        self.assertAlmostEqual(0.1 + 0.2, 0.3); self.assertNotAlmostEqual(1, 1.1); self.assertAlmostEqual(1, 1.05, delta=0.1)
        self.assertListEqual([1], [1]); self.assertDictEqual({1: 2}, {1: 2}); self.assertTupleEqual((1,), (1,)); self.assertSetEqual({1}, {1}); self.assertCountEqual([1, 2], [2, 1])
        with self.assertRaises(KeyError) as c:
            {}["k"]
        self.assertIsInstance(c.exception, KeyError)
        self.assertRaises(ZeroDivisionError, lambda x: 1 // x, 0)
        with self.assertRaisesRegex(ValueError, "bad"):
            raise ValueError("a bad one")
    def test_messages(self):
        for f in [lambda: self.assertEqual(1, 2), lambda: self.assertTrue(0), lambda: self.assertFalse(1, "why"), lambda: self.assertIsNone(3), lambda: self.assertIn(1, [2]),
                  lambda: self.assertLess(2, 1), lambda: self.assertGreaterEqual(1, 2), lambda: self.assertIs(1, 2), lambda: self.assertAlmostEqual(1, 2), lambda: self.assertRaises(KeyError, int)]:
            try:
                f()
            except AssertionError as e:
                print(e)
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertEqual(i % 2, 0)
    def test_fails(self):
        self.fail("on purpose")
    def test_error(self):
        raise KeyError("oh")
    @unittest.skip("not now")
    def test_skipped(self):
        pass
    @unittest.skipIf(sys.version_info > (2,), "new")
    def test_skipif(self):
        pass
    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(1, 2)
@unittest.skip("all")
class S(unittest.TestCase):
    def test_x(self):
        pass
class Out:
    def write(self, s):
        return len(s)
    def flush(self):
        pass
    def writeln(self, s=""):
        pass
suite = unittest.TestSuite()
for c in [T, S]:
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(c))
r = unittest.TextTestRunner(stream=Out(), verbosity=1).run(suite)
print(r.testsRun, len(r.failures), len(r.errors), len(r.skipped), len(r.expectedFailures), r.wasSuccessful())
print(" ".join(T.log[:7]))
