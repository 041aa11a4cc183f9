from urllib.parse import urlparse, urlencode, quote, unquote, urljoin, parse_qs, parse_qsl, urlunparse, quote_plus, unquote_plus, urlsplit, urldefrag
u = urlparse("https://user:pw@Example.com:8080/a/b;p?q=1&r=2#frag")
print(u.scheme, u.netloc, u.path, u.params, u.query, u.fragment, u.hostname, u.port, u.username, u.password, u.geturl(), len(u))
for s in ["http://a/b?c#d", "mailto:x@y", "/only/path", "", "file:///tmp/x", "//host/path", "a:b", "http://[::1]:80/"]:
    p = urlsplit(s)
    print("|".join(p), p.geturl(), p.hostname, p.port)
print(quote("a b/c?é&=~"), quote("a/b", safe=""), quote_plus("a b+c"), unquote("a%20b%C3%A9%zz"), unquote_plus("a+b%2B"))
print(urlencode({"a": 1, "b c": "d&e"}), urlencode([("x", [1, 2])], doseq=True), urlencode({"k": "ü"}))
print(sorted((k, "".join(v)) for k, v in parse_qs("a=1&b=2&a=3&c=").items())[0][1], len(parse_qsl("a=1&c=", keep_blank_values=True)))
for rel in ["g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g", "http:g", "g;x", "g/./h", "g/../h"]:
    print(rel, urljoin("http://a/b/c/d;p?q", rel))
print(urldefrag("http://a/b#c").url, urlunparse(("http", "a", "b", "", "q=1", "")))
