"""Is what a profile advises right? Whole programs of benchmarks/planted, each with one slow line, are run
under --profile before and after the change that the advice asks for:

    /usr/bin/python3 benchmarks/planted.py [--binary B] [--only REGEX] [--rounds 3]

A row says whether the first advice names the line and the cause, and how far the gain that it predicts is from
the one that the change has: medians of rounds that alternate, of the wall time that the profile measures.

A program begins with its rule; it has a part `# slow` and one `# changed`, and may go on with `# both`. The line
that the advice has to name ends in `# planted`.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
AMOUNT = r"([\d.]+) (ns|µs|ms|s)\b"


def parts(text):
    """The rule, the program before the change and after it, and the planted line of the former."""
    rule = re.match(r"# rule: ([\w-]+)\n", text).group(1)
    first, rest = text.split("# slow\n")
    slow, rest = rest.split("# changed\n")
    changed, _, both = rest.partition("# both\n")
    slow, changed = first + slow + both, first + changed + both
    planted = [i for i, line in enumerate(slow.splitlines(), 1) if line.endswith("# planted")]
    return rule, slow, changed, planted[0]


def run(binary, path):
    """The wall time of a program's profile, and its advice: places, gains in seconds, rules."""
    done = subprocess.run([binary, "run", "--profile", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stdout}{done.stderr}")
    text = re.sub(r"\n {9,}", " ", done.stdout + done.stderr)
    number, unit = re.search(r"^wall +" + AMOUNT, text, re.M).groups()
    advice = []
    for line in re.findall(r"^do +(.*)$", text, re.M):
        place = re.match(r"\S+?:(\d+): ", line)
        gain = re.search(r"Saves about " + AMOUNT, line)
        advice.append((int(place.group(1)), float(gain.group(1)) * UNITS[gain.group(2)], re.search(r"\[([\w-]+)\]$", line).group(1)))
    return float(number) * UNITS[unit], advice


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--binary", help="the program; built if not given")
    args.add_argument("--only", default="", help="programs whose names match")
    args.add_argument("--rounds", type=int, default=3)
    args = args.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    if not args.binary:
        args.binary = str(folder / "arignote")
        subprocess.run(["go", "build", "-o", args.binary, "."], cwd=HERE.parent, check=True)
    named = near = count = 0
    print(f"{'program':24} {'rule':20} {'line':>5} {'named':>6} {'slow ms':>9} {'changed':>9} {'gain':>9} {'predicted':>9} {'of it':>6}")
    for file in sorted((HERE / "planted").glob("*.py")):
        if not re.search(args.only, file.stem):
            continue
        rule, slow, changed, planted = parts(file.read_text())
        before, after = folder / f"{file.stem}.py", folder / f"{file.stem}_changed.py"
        before.write_text(slow)
        after.write_text(changed)
        walls, predictions, places = ([], []), [], []
        for _ in range(args.rounds):
            wall, advice = run(args.binary, before)
            walls[0].append(wall)
            walls[1].append(run(args.binary, after)[0])
            if advice:
                places.append((advice[0][0], advice[0][2]))
            predictions.append(advice[0][1] if advice else 0.0)
        is_named = len(places) == args.rounds and all(p == (planted, rule) for p in places)
        was, now = map(statistics.median, walls)
        gain, predicted = was - now, statistics.median(predictions)
        is_near = abs(predicted - gain) <= 0.3 * abs(gain)
        named, near, count = named + is_named, near + (is_named and is_near), count + 1
        said = "yes" if is_named else "no: " + ", ".join(f"{r}:{n}" for n, r in places[:1]) if places else "no"
        print(f"{file.stem:24} {rule:20} {planted:5} {said:>6} {was*1e3:9.1f} {now*1e3:9.1f} {gain*1e3:9.1f} {predicted*1e3:9.1f} "
              f"{predicted / gain if gain else 0:6.2f}{'' if is_near else ' *'}", flush=True)
    print(f"{named} of {count} name the line and the cause first; of these the predicted gain of {near} is within 30 %")


main()
