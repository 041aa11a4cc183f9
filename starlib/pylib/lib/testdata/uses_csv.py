import csv
import io

from pkg_resources import parse_version

out = io.StringIO()
w = csv.writer(out, csv.excel_tab)
w.writerow([1, "a b", "c\td"])
w = csv.writer(out, dialect="excel", lineterminator="\n")
w.writerow(["x,y", 2])


class Semicolons(csv.excel):
    delimiter = ";"
    lineterminator = "\n"


w = csv.DictWriter(out, ["a", "b"], dialect=Semicolons)
w.writeheader()
w.writerow({"a": 1, "b": "2;3"})
print(out.getvalue().encode().hex())
print(len(list(csv.reader(["a;b;c"], Semicolons))[0]), len(list(csv.reader(["a\tb"], "excel-tab"))[0]), len(list(csv.DictReader(["a;b", "1;2"], dialect=Semicolons))[0]))
d = csv.Sniffer().sniff("epoch;loss\n1;0.5\n2;0.25\n")
print(d.delimiter, csv.Sniffer().has_header("epoch;loss\n1;0.5\n2;0.25\n"), csv.Sniffer().has_header("3,4\n1,0.5\n2,0.25\n"))
print(csv.excel.delimiter, csv.excel_tab.delimiter == "\t", csv.QUOTE_ALL, issubclass(csv.excel, csv.Dialect), sorted(csv.list_dialects()) == ["excel", "excel-tab", "unix"])
try:
    csv.reader(["a"], "no such dialect")
except csv.Error as e:
    print("csv.Error")
v = ["1.0", "1.0.1", "0.9.9", "1.10", "1.2", "1.0rc1", "1.0.dev3", "1.0.post1", "1.0a2", "2"]
print(" ".join(sorted(v, key=parse_version)))
print(parse_version("1.0") == parse_version("1.0.0"), parse_version("0.10.0") >= parse_version("0.9"), parse_version("1.0rc1").is_prerelease)
