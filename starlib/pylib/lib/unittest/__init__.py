"""Tests as classes: class T(unittest.TestCase) with methods test_*. main() runs those of the file; arignote test finds them too."""
import sys as _sys
import time as _time
import _inspect
import _run


class SkipTest(Exception):
    """A test that is skipped."""


class _Expected(Exception):
    pass


def skip(reason=""):
    """A decorator: the test, or all of a class, is skipped."""
    def decorate(x):
        if isinstance(x, type):
            x.__unittest_skip__, x.__unittest_skip_why__ = True, reason
            return x

        def skipped(*args, **kwargs):
            raise SkipTest(reason)
        skipped.__name__ = x.__name__
        skipped.__unittest_skip__, skipped.__unittest_skip_why__ = True, reason
        return skipped
    if type(reason) == "function":
        f, reason = reason, ""
        return decorate(f)
    return decorate


def _same(x):
    return x


def skipIf(condition, reason):
    """A decorator: the test is skipped if the condition holds."""
    return skip(reason) if condition else _same


def skipUnless(condition, reason):
    """A decorator: the test is skipped unless the condition holds."""
    return _same if condition else skip(reason)


def expectedFailure(test_item):
    """A decorator: the test fails, as is expected."""
    test_item.__unittest_expecting_failure__ = True
    return test_item


class _RaisesContext:
    def __init__(self, case, expected, pattern, msg):
        self.case, self.expected, self.pattern, self.msg = case, expected, pattern, msg
        self.exception, self.by = None, ""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            names = self.expected.__name__ if isinstance(self.expected, type) else repr(self.expected)
            by = " by %s" % self.by if self.by else ""
            raise self.case.failureException(_with("%s not raised%s" % (names, by), self.msg))
        if not issubclass(kind, self.expected):
            return False
        self.exception = error
        if self.pattern is not None and not _search(self.pattern, str(error)):
            raise self.case.failureException(_with('"%s" does not match "%s"' % (self.pattern, error), self.msg))
        return True


class _WarnsContext:
    def __init__(self, case, expected, pattern, msg):
        self.case, self.expected, self.pattern, self.msg = case, expected, pattern, msg

    def __enter__(self):
        import warnings
        self.context = warnings.catch_warnings(record=True)
        self.warnings = self.context.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, kind, error, traceback):
        self.context.__exit__(kind, error, traceback)
        if kind is not None:
            return False
        for w in self.warnings:
            if issubclass(w.category, self.expected) and (self.pattern is None or _search(self.pattern, str(w.message))):
                self.warning = w.message
                return False
        raise self.case.failureException(_with("%s not triggered" % self.expected.__name__, self.msg))


class _SubTest:
    def __init__(self, case, msg, params):
        self.case, self.msg, self.params = case, msg, params

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None or not issubclass(kind, Exception):
            return False
        if issubclass(kind, SkipTest):
            return False
        words = ["%s=%s" % (k, repr(v)) for k, v in self.params.items()]
        title = ("[%s] " % self.msg if self.msg is not None else "") + ("(%s)" % ", ".join(words) if words else "")
        self.case._sub_errors.append((title.strip(), error))
        return True


def _search(pattern, text):
    try:
        import re
    except ImportError:
        return pattern in text
    return re.search(pattern, text) is not None


def _with(text, msg):
    return text if msg is None else "%s : %s" % (text, msg)


def _is(x, y, what, msg, case):
    case._fail("%s %s %s" % (repr(x), what, repr(y)), msg)


class TestCase:
    """A class whose methods test_* are tests."""
    _is_unittest_ = True
    failureException = AssertionError
    longMessage = True
    maxDiff = 640

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName
        self._cleanups, self._sub_errors = [], []
        self._testMethodDoc = getattr(getattr(self, methodName, None), "__doc__", None)

    def setUp(self):
        """Runs before each test."""

    def tearDown(self):
        """Runs after each test."""

    @classmethod
    def setUpClass(cls):
        """Runs before the tests of the class."""

    @classmethod
    def tearDownClass(cls):
        """Runs after the tests of the class."""

    def id(self):
        """The name of the test."""
        return "%s.%s.%s" % (type(self).__module__, type(self).__qualname__, self._testMethodName)

    def shortDescription(self):
        """The first line of the test's documentation."""
        return self._testMethodDoc.strip().split("\n")[0] if self._testMethodDoc else None

    def __str__(self):
        return "%s (%s.%s)" % (self._testMethodName, type(self).__module__, type(self).__qualname__)

    def __repr__(self):
        return "<%s.%s testMethod=%s>" % (type(self).__module__, type(self).__qualname__, self._testMethodName)

    def addCleanup(self, function, *args, **kwargs):
        """Has a function be called after the test."""
        self._cleanups.append((function, args, kwargs))

    def doCleanups(self):
        """Calls them, the last one first."""
        while self._cleanups:
            f, args, kwargs = self._cleanups.pop()
            f(*args, **kwargs)

    @classmethod
    def addClassCleanup(cls, function, *args, **kwargs):
        """Has a function be called after the tests of the class."""
        cls._class_cleanups = getattr(cls, "_class_cleanups", []) + [(function, args, kwargs)]

    @classmethod
    def doClassCleanups(cls):
        """Calls them, the last one first."""
        for f, args, kwargs in reversed(getattr(cls, "_class_cleanups", [])):
            f(*args, **kwargs)
        cls._class_cleanups = []

    def enterContext(self, cm):
        """Enters a context, which is left after the test."""
        result = cm.__enter__()
        self.addCleanup(cm.__exit__, None, None, None)
        return result

    def skipTest(self, reason):
        """Ends the test as skipped."""
        raise SkipTest(reason)

    def subTest(self, msg=None, **params):
        """A part of a test, after which the test goes on where it fails."""
        return _SubTest(self, msg, params)

    def _run_for_pytest(self):
        # Runs setUp, the test and tearDown, and raises the first error.
        if getattr(type(self), "__unittest_skip__", False):
            raise SkipTest(type(self).__unittest_skip_why__)
        method = getattr(self, self._testMethodName)
        expected = getattr(method, "__unittest_expecting_failure__", False) or getattr(type(self), "__unittest_expecting_failure__", False)
        try:
            self.setUp()
            try:
                if expected:
                    try:
                        method()
                    except Exception:
                        return
                    raise self.failureException("Unexpected success")
                method()
            finally:
                self.tearDown()
        finally:
            self.doCleanups()
        if self._sub_errors:
            raise self._sub_errors[0][1]

    def _fail(self, text, msg):
        raise self.failureException(_with(text, msg))

    def fail(self, msg=None):
        """Fails."""
        raise self.failureException(msg)

    def assertTrue(self, expr, msg=None):
        """Fails unless it is true."""
        if not expr:
            self._fail("%s is not true" % repr(expr), msg)

    def assertFalse(self, expr, msg=None):
        """Fails if it is true."""
        if expr:
            self._fail("%s is not false" % repr(expr), msg)

    def assertEqual(self, first, second, msg=None):
        """Fails unless they are equal."""
        if not first == second:
            self._fail("%s != %s" % (repr(first), repr(second)), msg)

    def assertNotEqual(self, first, second, msg=None):
        """Fails if they are equal."""
        if not first != second:
            self._fail("%s == %s" % (repr(first), repr(second)), msg)

    def assertIs(self, expr1, expr2, msg=None):
        """Fails unless they are one."""
        if expr1 is not expr2:
            _is(expr1, expr2, "is not", msg, self)

    def assertIsNot(self, expr1, expr2, msg=None):
        """Fails if they are one."""
        if expr1 is expr2:
            self._fail("unexpectedly identical: %s" % repr(expr1), msg)

    def assertIsNone(self, obj, msg=None):
        """Fails unless it is None."""
        if obj is not None:
            self._fail("%s is not None" % repr(obj), msg)

    def assertIsNotNone(self, obj, msg=None):
        """Fails if it is None."""
        if obj is None:
            self._fail("unexpectedly None", msg)

    def assertIn(self, member, container, msg=None):
        """Fails unless one is in the other."""
        if member not in container:
            _is(member, container, "not found in", msg, self)

    def assertNotIn(self, member, container, msg=None):
        """Fails if one is in the other."""
        if member in container:
            _is(member, container, "unexpectedly found in", msg, self)

    def assertIsInstance(self, obj, cls, msg=None):
        """Fails unless it is an instance."""
        if not isinstance(obj, cls):
            _is(obj, cls, "is not an instance of", msg, self)

    def assertNotIsInstance(self, obj, cls, msg=None):
        """Fails if it is an instance."""
        if isinstance(obj, cls):
            _is(obj, cls, "is an instance of", msg, self)

    def assertLess(self, a, b, msg=None):
        """Fails unless a < b."""
        if not a < b:
            _is(a, b, "not less than", msg, self)

    def assertLessEqual(self, a, b, msg=None):
        """Fails unless a <= b."""
        if not a <= b:
            _is(a, b, "not less than or equal to", msg, self)

    def assertGreater(self, a, b, msg=None):
        """Fails unless a > b."""
        if not a > b:
            _is(a, b, "not greater than", msg, self)

    def assertGreaterEqual(self, a, b, msg=None):
        """Fails unless a >= b."""
        if not a >= b:
            _is(a, b, "not greater than or equal to", msg, self)

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        """Fails unless they are equal in so many places, or differ by no more than delta."""
        if first == second:
            return
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        diff = abs(first - second)
        if delta is not None:
            if diff <= delta:
                return
            self._fail("%s != %s within %s delta (%s difference)" % (repr(first), repr(second), repr(delta), repr(diff)), msg)
        places = 7 if places is None else places
        if round(diff, places) == 0:
            return
        self._fail("%s != %s within %s places (%s difference)" % (repr(first), repr(second), repr(places), repr(diff)), msg)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        """Fails if they are equal in so many places."""
        diff = abs(first - second)
        if delta is not None:
            if first != second and diff > delta:
                return
            self._fail("%s == %s within %s delta (%s difference)" % (repr(first), repr(second), repr(delta), repr(diff)), msg)
        places = 7 if places is None else places
        if first != second and round(diff, places) != 0:
            return
        self._fail("%s == %s within %s places" % (repr(first), repr(second), repr(places)), msg)

    def assertSequenceEqual(self, seq1, seq2, msg=None, seq_type=None):
        """Fails unless they have equal elements."""
        if list(seq1) != list(seq2):
            self._fail("Sequences differ: %s != %s" % (repr(seq1), repr(seq2)), msg)

    def assertListEqual(self, list1, list2, msg=None):
        """Fails unless the lists are equal."""
        if list1 != list2:
            self._fail("Lists differ: %s != %s" % (repr(list1), repr(list2)), msg)

    def assertTupleEqual(self, tuple1, tuple2, msg=None):
        """Fails unless the tuples are equal."""
        if tuple1 != tuple2:
            self._fail("Tuples differ: %s != %s" % (repr(tuple1), repr(tuple2)), msg)

    def assertSetEqual(self, set1, set2, msg=None):
        """Fails unless the sets are equal."""
        if set1 != set2:
            self._fail("Sets differ: %s != %s" % (repr(set1), repr(set2)), msg)

    def assertDictEqual(self, d1, d2, msg=None):
        """Fails unless the dicts are equal."""
        if d1 != d2:
            self._fail("%s != %s" % (repr(d1), repr(d2)), msg)

    def assertMultiLineEqual(self, first, second, msg=None):
        """Fails unless the texts are equal."""
        if first != second:
            self._fail("%s != %s" % (repr(first), repr(second)), msg)

    def assertCountEqual(self, first, second, msg=None):
        """Fails unless they have the same elements, in any order."""
        rest, missing = list(second), []
        for x in first:
            if x in rest:
                rest.remove(x)
            else:
                missing.append(x)
        if rest or missing:
            self._fail("Element counts were not equal:\n%s" % "\n".join(
                ["First has 1, Second has 0:  %s" % repr(x) for x in missing] + ["First has 0, Second has 1:  %s" % repr(x) for x in rest]), msg)

    def assertRegex(self, text, expected_regex, msg=None):
        """Fails unless the pattern is in the text."""
        if not _search(expected_regex, text):
            self._fail("Regex didn't match: %s not found in %s" % (repr(expected_regex), repr(text)), msg)

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        """Fails if the pattern is in the text."""
        if _search(unexpected_regex, text):
            self._fail("Regex matched: %s matches in %s" % (repr(unexpected_regex), repr(text)), msg)

    def assertRaises(self, expected_exception, *args, **kwargs):
        """A context that fails unless it ends with an error of a class; or calls a function so."""
        context = _RaisesContext(self, expected_exception, None, kwargs.pop("msg", None) if not args else None)
        if not args:
            return context
        context.by = getattr(args[0], "__name__", repr(args[0]))
        with context:
            args[0](*args[1:], **kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        """assertRaises, where the text of the error has a pattern in it."""
        context = _RaisesContext(self, expected_exception, expected_regex, kwargs.pop("msg", None) if not args else None)
        if not args:
            return context
        context.by = getattr(args[0], "__name__", repr(args[0]))
        with context:
            args[0](*args[1:], **kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        """A context that fails unless a warning of a class is given."""
        context = _WarnsContext(self, expected_warning, None, kwargs.pop("msg", None) if not args else None)
        if not args:
            return context
        with context:
            args[0](*args[1:], **kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        """assertWarns, where the text has a pattern in it."""
        context = _WarnsContext(self, expected_warning, expected_regex, None)
        if not args:
            return context
        with context:
            args[0](*args[1:], **kwargs)

    def countTestCases(self):
        """1."""
        return 1

    def debug(self):
        """Runs the test, and raises its error."""
        self._run_for_pytest()

    def run(self, result=None):
        """Runs the test, and adds to a result what came of it."""
        result = TestResult() if result is None else result
        result.startTest(self)
        cls, method = type(self), getattr(self, self._testMethodName)
        why = getattr(cls, "__unittest_skip_why__", None) if getattr(cls, "__unittest_skip__", False) else None
        if why is None and getattr(method, "__unittest_skip__", False):
            why = method.__unittest_skip_why__
        if why is not None:
            result.addSkip(self, why)
            return result
        expected = getattr(method, "__unittest_expecting_failure__", False)
        good = True
        error, told = _run.call(self.setUp)
        if error is not None:
            self._note(result, error, told)
            good = False
        else:
            error, told = _run.call(method)
            if expected:
                good = False
                if error is None:
                    result.addUnexpectedSuccess(self)
                else:
                    result.addExpectedFailure(self, error)
            elif error is not None:
                self._note(result, error, told)
                good = False
            error, told = _run.call(self.tearDown)
            if error is not None:
                self._note(result, error, told)
                good = False
        error, told = _run.call(self.doCleanups)
        if error is not None:
            self._note(result, error, told)
            good = False
        for title, error in self._sub_errors:
            (result.failures if isinstance(error, self.failureException) else result.errors).append(("%s %s" % (self, title), _text(error)))
            good = False
        if good:
            result.addSuccess(self)
        result.stopTest(self)
        return result

    assertEquals, assertNotEquals, assert_, assertAlmostEquals, failUnless, failIf = assertEqual, assertNotEqual, assertTrue, assertAlmostEqual, assertTrue, assertFalse
    assertItemsEqual, assertRegexpMatches, assertRaisesRegexp, failUnlessEqual = assertCountEqual, assertRegex, assertRaisesRegex, assertEqual

    def _note(self, result, error, told):
        if isinstance(error, SkipTest):
            result.addSkip(self, str(error))
        elif isinstance(error, self.failureException):
            result.failures.append((str(self), _told(told)))
            result._letter("F", "FAIL")
        else:
            result.errors.append((str(self), _told(told)))
            result._letter("E", "ERROR")


def _text(error):
    import traceback
    return "".join(traceback.format_exception(error))


def _told(told):
    out = ["Traceback (most recent call last):\n"]
    for file, line, name, text in told["frames"]:
        out.append('  File "%s", line %d, in %s\n    %s\n' % (file, line, name, text))
    message = told["message"]
    out.append("%s: %s\n" % (told["name"], message) if message else told["name"] + "\n")
    return "".join(out)


class FunctionTestCase(TestCase):
    """A function as a test."""

    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__("runTest")
        self._func = testFunc

    def runTest(self):
        """Calls it."""
        self._func()


class TestResult:
    """What came of tests."""

    def __init__(self, stream=None, descriptions=None, verbosity=1):
        self.stream, self.verbosity = stream, verbosity
        self.failures, self.errors, self.skipped, self.expectedFailures, self.unexpectedSuccesses = [], [], [], [], []
        self.testsRun, self.shouldStop, self.failfast = 0, False, False

    def _letter(self, letter, word):
        if self.stream is not None:
            self.stream.write(letter if self.verbosity == 1 else word + "\n" if self.verbosity > 1 else "")
        if self.failfast and letter in "FE":
            self.shouldStop = True

    def startTest(self, test):
        """A test begins."""
        self.testsRun += 1
        if self.stream is not None and self.verbosity > 1:
            self.stream.write("%s ... " % test)

    def stopTest(self, test):
        """A test has ended."""

    def addSuccess(self, test):
        """It passed."""
        self._letter(".", "ok")

    def addFailure(self, test, err):
        """It failed."""
        self.failures.append((str(test), _text(err[1])))
        self._letter("F", "FAIL")

    def addError(self, test, err):
        """It raised an error."""
        self.errors.append((str(test), _text(err[1])))
        self._letter("E", "ERROR")

    def addSkip(self, test, reason):
        """It was skipped."""
        self.skipped.append((test, reason))
        self._letter("s", "skipped %s" % repr(reason))

    def addExpectedFailure(self, test, err):
        """It failed, as was expected."""
        self.expectedFailures.append((test, err))
        self._letter("x", "expected failure")

    def addUnexpectedSuccess(self, test):
        """It passed, which was not expected."""
        self.unexpectedSuccesses.append(test)
        self._letter("u", "unexpected success")

    def stop(self):
        """No more tests begin."""
        self.shouldStop = True

    def wasSuccessful(self):
        """Whether nothing failed."""
        return not self.failures and not self.errors and not self.unexpectedSuccesses


TextTestResult = TestResult


class TestSuite:
    """Tests that run together."""

    def __init__(self, tests=()):
        self._tests = list(tests)

    def addTest(self, test):
        """Adds a test."""
        self._tests.append(test)

    def addTests(self, tests):
        """Adds tests."""
        for t in tests:
            self.addTest(t)

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        """How many there are."""
        return sum([t.countTestCases() for t in self._tests])

    def run(self, result):
        """Runs them, class by class."""
        last = None
        flat = _flat(self)
        for i, t in enumerate(flat):
            if result.shouldStop:
                break
            cls = type(t)
            skipped = getattr(cls, "__unittest_skip__", False)
            if cls is not last and not skipped:
                error, told = _run.call(cls.setUpClass)
                if error is not None:
                    if isinstance(error, SkipTest):
                        result.addSkip(t, str(error))
                    else:
                        result.errors.append(("setUpClass (%s.%s)" % (cls.__module__, cls.__qualname__), _told(told)))
                        result._letter("E", "ERROR")
                    last = cls
                    cls._failed_ = True
            last = cls
            if getattr(cls, "_failed_", False):
                continue
            t.run(result)
            if (i + 1 == len(flat) or type(flat[i + 1]) is not cls) and not skipped:
                error, told = _run.call(cls.tearDownClass)
                if error is not None:
                    result.errors.append(("tearDownClass (%s.%s)" % (cls.__module__, cls.__qualname__), _told(told)))
                    result._letter("E", "ERROR")
                cls.doClassCleanups()
        return result


def _flat(suite):
    out = []
    for t in suite:
        out += _flat(t) if isinstance(t, TestSuite) else [t]
    return out


class TestLoader:
    """Finds tests."""
    testMethodPrefix = "test"

    def getTestCaseNames(self, testCaseClass):
        """The names of the tests of a class."""
        return sorted([n for n in dir(testCaseClass) if n.startswith(self.testMethodPrefix) and callable(getattr(testCaseClass, n))])

    def loadTestsFromTestCase(self, testCaseClass):
        """The tests of a class."""
        return TestSuite([testCaseClass(n) for n in self.getTestCaseNames(testCaseClass)])

    def loadTestsFromModule(self, module, pattern=None):
        """The tests of a module."""
        return _of_names({n: getattr(module, n) for n in dir(module)}, self)

    def loadTestsFromName(self, name, module=None):
        """The tests of a name."""
        parts = name.split(".")
        x = getattr(module, parts[0])
        if len(parts) == 2:
            return TestSuite([x(parts[1])])
        return self.loadTestsFromTestCase(x)


def _of_names(names, loader):
    suite = TestSuite()
    for n in sorted(names):
        x = names[n]
        if isinstance(x, type) and issubclass(x, TestCase) and x is not TestCase and x is not FunctionTestCase:
            suite.addTest(loader.loadTestsFromTestCase(x))
    return suite


defaultTestLoader = TestLoader()


def makeSuite(testCaseClass, prefix="test", sortUsing=None, suiteClass=None):
    """The tests of a class."""
    return defaultTestLoader.loadTestsFromTestCase(testCaseClass)


class TextTestRunner:
    """Runs tests, and prints what came of them."""

    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, **options):
        self.stream, self.verbosity, self.failfast = _sys.stderr if stream is None else stream, verbosity, failfast

    def run(self, test):
        """Runs a test or a suite."""
        result = TestResult(self.stream, True, self.verbosity)
        result.failfast = self.failfast
        start = _time.time()
        (test if isinstance(test, TestSuite) else TestSuite([test])).run(result)
        seconds = _time.time() - start
        write = self.stream.write
        if self.verbosity == 1:
            write("\n")
        for word, list_ in (("ERROR", result.errors), ("FAIL", result.failures)):
            for name, text in list_:
                write("=" * 70 + "\n%s: %s\n" % (word, name) + "-" * 70 + "\n" + text + "\n")
        write("-" * 70 + "\nRan %d test%s in %.3fs\n\n" % (result.testsRun, "" if result.testsRun == 1 else "s", seconds))
        counts = [("failures", len(result.failures)), ("errors", len(result.errors)), ("skipped", len(result.skipped)), ("expected failures", len(result.expectedFailures)),
                  ("unexpected successes", len(result.unexpectedSuccesses))]
        words = ", ".join(["%s=%d" % (k, n) for k, n in counts if n])
        write(("OK" if result.wasSuccessful() else "FAILED") + (" (%s)" % words if words else "") + "\n")
        return result


class main:
    """Runs the tests of the program, and ends it with status 0 or 1."""

    def __init__(self, module="__main__", defaultTest=None, argv=None, testRunner=None, testLoader=None, exit=True, verbosity=1, failfast=None, catchbreak=None, buffer=None, warnings=None):
        args = list(_sys.argv if argv is None else argv)[1:]
        if "-v" in args or "--verbose" in args:
            verbosity = 2
        names = [a for a in args if not a.startswith("-")]
        table = _run.globals() if isinstance(module, str) else {n: getattr(module, n) for n in dir(module)}
        loader = testLoader or defaultTestLoader
        if names:
            suite = TestSuite()
            for name in names:
                cls, _, method = name.partition(".")
                suite.addTest(table[cls](method) if method else loader.loadTestsFromTestCase(table[cls]))
        else:
            suite = _of_names(table, loader)
        runner = TextTestRunner(verbosity=verbosity, failfast="-f" in args or bool(failfast)) if testRunner is None else testRunner
        if isinstance(runner, type):
            runner = runner(verbosity=verbosity)
        self.result = runner.run(suite)
        if exit:
            _sys.exit(0 if self.result.wasSuccessful() else 1)


TestProgram = main
