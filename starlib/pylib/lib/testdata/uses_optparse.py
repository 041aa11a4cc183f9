import optparse, sys
from optparse import OptionParser, OptionGroup, make_option
p = OptionParser(usage="usage: %prog [options] FILE", version="%prog 1.0", prog="train", description="Trains a net on what the files hold, for as long as it takes, and writes what it has learnt.", epilog="That is all.")
p.add_option("-l", "--learning-rate", type="float", default=0.1, help="how far a step goes [default: %default]")
p.add_option("-n", dest="n", type=int, metavar="N", help="steps")
p.add_option("-v", "--verbose", action="count", help="more of it; twice for much more, three times for all there is to say about anything")
p.add_option("--act", choices=["relu", "tanh"], default="relu")
p.add_option("-q", action="store_false", dest="loud", default=True)
p.add_option("-I", action="append", dest="path", help="a folder")
p.add_option("--pair", nargs=2, type="int")
p.add_option("--secret", help=optparse.SUPPRESS_HELP)
g = OptionGroup(p, "Rare", "What is seldom asked for.")
g.add_option("--seed", type="int", default="7", help="of random numbers")
g.add_option("--mode", action="store_const", const="fast", default="slow")
p.add_option_group(g)
for args in ([], ["-l", "0.5", "a", "-n3", "b"], ["--learning=2", "-vv", "--act=tanh", "-q", "-Ix", "-I", "y", "--pair", "1", "0x10", "--", "-n"], ["--seed", "010", "--mode", "x", "--mo"], ["-vqn", "4"]):
    o, rest = p.parse_args(args)
    print(sorted(o.__dict__.items()) == sorted(vars(o).items()), o.learning_rate, o.n, o.verbose, o.act == "tanh", o.loud, o.path and len(o.path), o.pair, o.seed, o.mode == "fast", "|".join(rest))
for args in (["-n", "x"], ["--nope"], ["-z"], ["--act", "sig"], ["-l"], ["--pair", "1"], ["--se=1"], ["--verbose=1"], ["--version"], ["--help"], ["--learning-rate=abc"]):
    try:
        p.parse_args(args)
    except SystemExit as e:
        print("exit", e.code)
print(p.has_option("-n"), p.get_option("--act").dest, p.get_prog_name(), p.get_usage(), end="")
try:
    p.add_option("-n")
except optparse.OptionConflictError as e:
    print(e)
for wrong in (["n"], ["-nn"], ["--"]):
    try:
        p.add_option(*wrong)
    except (optparse.OptionError, TypeError) as e:
        print(type(e).__name__, str(e).replace('"', "'"))
p.remove_option("-n")
print(p.has_option("-n"))
def called(option, opt, value, parser, *args):
    print(opt, value, args)
    parser.values.seen = value
q = OptionParser(option_list=[make_option("-c", action="callback", callback=called, type="int", callback_args=(1, 2))], add_help_option=False, prog="q", conflict_handler="resolve")
q.add_option("-c", "--count", type="int")
q.add_option("-k", action="callback", callback=called)
q.set_defaults(count=5)
q.disable_interspersed_args()
print(q.parse_args(["-k", "a", "-c", "1"])[1] == ["a", "-c", "1"], q.parse_args(["-c", "9"])[0].count, q.defaults["count"])
print(q.format_help())
