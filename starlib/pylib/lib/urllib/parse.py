"""Addresses: their parts, and how text is written in them."""
from collections import namedtuple as _namedtuple
from typing import NamedTuple as _NamedTuple

uses_relative = ["", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtspu", "sftp", "svn", "svn+ssh", "ws", "wss"]
_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"
_SCHEME = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-."


class _Host:
    # What is in the part between // and the path.

    @property
    def _pair(self):
        user, at, host = self.netloc.rpartition("@")
        return user if at else None, host

    @property
    def username(self):
        """The user's name, None if there is none."""
        user = self._pair[0]
        return None if user is None else user.partition(":")[0]

    @property
    def password(self):
        """The password, None if there is none."""
        user = self._pair[0]
        if user is None or ":" not in user:
            return None
        return user.partition(":")[2]

    @property
    def hostname(self):
        """The host in lower case, None if there is none."""
        host = self._pair[1]
        if host.startswith("["):
            host = host[1:].partition("]")[0]
        else:
            host = host.partition(":")[0]
        return host.lower() or None

    @property
    def port(self):
        """The port, None if there is none."""
        host = self._pair[1]
        text = host.rpartition("]")[2].partition(":")[2] if host.startswith("[") else host.partition(":")[2]
        if not text:
            return None
        if not text.isdigit():
            raise ValueError("Port could not be cast to integer value as %s" % repr(text))
        if int(text) > 65535:
            raise ValueError("Port out of range 0-65535")
        return int(text)


class SplitResult(_NamedTuple):
    """The five parts of an address."""
    scheme: str
    netloc: str
    path: str
    query: str
    fragment: str
    _pair, username, password, hostname, port = _Host._pair, _Host.username, _Host.password, _Host.hostname, _Host.port

    def geturl(self):
        """The address."""
        return urlunsplit(self)


class ParseResult(_NamedTuple):
    """The six parts of an address."""
    scheme: str
    netloc: str
    path: str
    params: str
    query: str
    fragment: str
    _pair, username, password, hostname, port = _Host._pair, _Host.username, _Host.password, _Host.hostname, _Host.port

    def geturl(self):
        """The address."""
        return urlunparse(self)


def urlsplit(url, scheme="", allow_fragments=True):
    """The five parts of an address: scheme, netloc, path, query, fragment."""
    url = "".join([c for c in url.lstrip() if c not in "\t\r\n"])
    netloc = query = fragment = ""
    i = url.find(":")
    if i > 0 and url[0].isalpha() and all([c in _SCHEME for c in url[:i]]):
        scheme, url = url[:i].lower(), url[i + 1:]
    if url[:2] == "//":
        end = len(url)
        for c in "/?#":
            j = url.find(c, 2)
            if j >= 0:
                end = min(end, j)
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments and "#" in url:
        url, _, fragment = url.partition("#")
    if "?" in url:
        url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    """The six parts of an address: scheme, netloc, path, params, query, fragment."""
    s = urlsplit(url, scheme, allow_fragments)
    path, params = s.path, ""
    last = path.rfind("/")
    if ";" in path[last + 1:]:
        i = path.find(";", max(last, 0))
        path, params = path[:i], path[i + 1:]
    return ParseResult(s.scheme, s.netloc, path, params, s.query, s.fragment)


def urlunsplit(components):
    """The address of five parts."""
    scheme, netloc, url, query, fragment = components
    if netloc or scheme and scheme in uses_relative and url[:2] != "//" and scheme in ("http", "https", "ftp", "file"):
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + (netloc or "") + url
    if scheme:
        url = scheme + ":" + url
    if query:
        url += "?" + query
    if fragment:
        url += "#" + fragment
    return url


def urlunparse(components):
    """The address of six parts."""
    scheme, netloc, url, params, query, fragment = components
    return urlunsplit((scheme, netloc, url + ";" + params if params else url, query, fragment))


def urljoin(base, url, allow_fragments=True):
    """The address that url is, seen from base."""
    if not base:
        return url
    if not url:
        return base
    b, u = urlparse(base, "", allow_fragments), None
    u = urlparse(url, b.scheme, allow_fragments)
    if u.scheme != b.scheme or u.scheme not in uses_relative:
        return url
    if u.netloc:
        return urlunparse(u)
    if not u.path and not u.params:
        return urlunparse((u.scheme, b.netloc, b.path, b.params, u.query or b.query, u.fragment))
    parts = u.path.split("/")
    if u.path[:1] != "/":
        before = b.path.split("/")[:-1]
        parts = before + parts
    out = []
    for i, p in enumerate(parts):
        if p == "..":
            if len(out) > 1 or out and out[0]:
                out.pop()
        elif p != ".":
            if p or i == 0 or i == len(parts) - 1:
                out.append(p)
    if parts[-1] in (".", ".."):
        out.append("")
    path = "/".join(out)
    if b.netloc and path[:1] != "/":
        path = "/" + path
    return urlunparse((u.scheme, b.netloc, path or "/", u.params, u.query, u.fragment))


def urldefrag(url):
    """The address without its fragment, and that."""
    s = urlparse(url)
    return DefragResult(urlunparse((s.scheme, s.netloc, s.path, s.params, s.query, "")), s.fragment)


DefragResult = _namedtuple("DefragResult", "url fragment")


def quote_from_bytes(bs, safe="/"):
    """Bytes as an address has them."""
    ok = _SAFE + (safe if isinstance(safe, str) else "".join([chr(c) for c in safe]))
    return "".join([chr(b) if b < 128 and chr(b) in ok else "%%%02X" % b for b in list(bs)])


def quote(string, safe="/", encoding=None, errors=None):
    """Text as an address has it: %20 for a space."""
    return quote_from_bytes(string if isinstance(string, bytes) else string.encode(encoding or "utf-8"), safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    """Text as a query has it: + for a space."""
    if isinstance(string, str) and " " in string:
        return quote(string, safe + " ", encoding, errors).replace(" ", "+")
    return quote(string, safe, encoding, errors)


_HEX = "0123456789abcdefABCDEF"


def unquote_to_bytes(string):
    """The bytes that an address stands for."""
    data = list(string.encode("utf-8") if isinstance(string, str) else string)
    out, i = [], 0
    while i < len(data):
        if data[i] == 37 and i + 2 < len(data) and chr(data[i + 1]) in _HEX and chr(data[i + 2]) in _HEX:
            out.append(int(chr(data[i + 1]) + chr(data[i + 2]), 16))
            i += 3
        else:
            out.append(data[i])
            i += 1
    return bytes(out)


def unquote(string, encoding="utf-8", errors="replace"):
    """The text that an address stands for."""
    if isinstance(string, str) and "%" not in string:
        return string
    return unquote_to_bytes(string).decode(encoding)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    """The text that a part of a query stands for."""
    return unquote(string.replace("+", " "), encoding, errors)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    """A query of pairs: a=1&b=2."""
    pairs = query.items() if hasattr(query, "items") else query
    out = []
    for k, v in pairs:
        k = quote_via(k if isinstance(k, (str, bytes)) else str(k), safe)
        if doseq and not isinstance(v, (str, bytes)) and hasattr(v, "__len__") or doseq and isinstance(v, (list, tuple)):
            for x in v:
                out.append(k + "=" + quote_via(x if isinstance(x, (str, bytes)) else str(x), safe))
        else:
            out.append(k + "=" + quote_via(v if isinstance(v, (str, bytes)) else str(v), safe))
    return "&".join(out)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"):
    """The pairs of a query."""
    out = []
    for part in qs.split(separator):
        if not part and not strict_parsing:
            continue
        k, eq, v = part.partition("=")
        if not eq and strict_parsing:
            raise ValueError("bad query field: %s" % repr(part))
        if v or keep_blank_values:
            out.append((unquote_plus(k), unquote_plus(v)))
    return out


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"):
    """A dict of the values of each name of a query."""
    out = {}
    for k, v in parse_qsl(qs, keep_blank_values, strict_parsing, separator=separator):
        out.setdefault(k, []).append(v)
    return out
