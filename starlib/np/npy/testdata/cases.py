"""Writes cases.json: files of NumPy 1.24, and what it reads from texts.

    python3 cases.py > cases.json
"""
import base64
import io
import json
import warnings
import numpy as np

warnings.simplefilter('ignore')
names = 'bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64'.split()
nan, inf = np.nan, np.inf


def array(a):
    a = np.asarray(a)
    return {'dtype': a.dtype.newbyteorder('=').name, 'shape': list(a.shape), 'data': ' '.join(str(x) for x in a.ravel().tolist())}


def plain(options):
    return {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}


def saved(a, version=None):
    f = io.BytesIO()
    np.lib.format.write_array(f, a, version=version)
    return base64.b64encode(f.getvalue()).decode()


# npy: an array and its file, in the orders and versions that are written (identical) or only read.
npy, refused = [], []
for name in names:
    dtype = np.dtype(name)
    limits = [False, True] if name == 'bool' else [np.finfo(name).min, np.finfo(name).max] if name[0] == 'f' else [
        np.iinfo(name).min, np.iinfo(name).max]
    for a in (np.array(1, dtype), np.array(limits, dtype), np.arange(6).reshape(2, 3).astype(dtype)):
        npy.append({'identical': True, **array(a), 'file': saved(a)})
        npy.append({'identical': False, **array(a), 'file': saved(a.astype(dtype.newbyteorder('>')))})
        npy.append({'identical': False, **array(a), 'file': saved(a, (2, 0))})
        npy.append({'identical': False, **array(a), 'file': saved(a, (3, 0))})
    a = np.asfortranarray(np.arange(24).reshape(2, 3, 4).astype(dtype))
    npy.append({'identical': True, 'fortran': True, **array(a), 'file': saved(a)})
for shape in [(0,), (1,), (2, 0, 3), (1, 1), (1, 5), (5, 1), (1, 2, 3, 4), (1000,), (1, 1, 1, 1, 1, 1, 1, 2)]:
    a = np.arange(np.prod(shape, dtype=int), dtype='f8').reshape(shape) / 4
    npy.append({'identical': True, **array(a), 'file': saved(a)})
a = np.array([nan, inf, -inf, -0.0, 5e-324, 1e308])
npy.append({'identical': True, **array(a), 'file': saved(a)})
for a in (np.zeros(2, 'c16'), np.zeros(2, 'c8'), np.array([None]), np.array(['abc']), np.array([b'abc']),
          np.zeros(2, 'f2'), np.zeros(2, np.longdouble), np.zeros(2, 'M8[s]'), np.zeros(2, [('a', 'f8'), ('b', 'i4')]),
          np.zeros(2, 'V3'), np.zeros((1,) * 9)):
    refused.append({'name': str(a.dtype), 'file': saved(a)})

zips = []
for save in (np.savez, np.savez_compressed):
    f = io.BytesIO()
    save(f, np.arange(3), b=np.eye(2), a=np.zeros((0, 2), 'f4'))
    zips.append(base64.b64encode(f.getvalue()).decode())

# text: what loadtxt and genfromtxt make of a text.
text = []


def read(f, t, **options):
    case = {'text': t, 'missing': f is np.genfromtxt, 'options': plain(options)}
    try:
        case['want'] = array(f(io.StringIO(t), **options))
    except (ValueError, TypeError) as e:
        case['error'] = str(e)
    text.append(case)


for f in (np.loadtxt, np.genfromtxt):
    for ndmin in (0, 1, 2):
        for t in ('1 2 3\n4 5 6\n', '', '\n\n', '# x\n', '5', '1\n2\n', '1 2', '1 2\n', '1\n\n2'):
            read(f, t, ndmin=ndmin)
    read(f, '1,2\n\n3,4\n', delimiter=',')
    read(f, '1,2,\n3,4,\n', delimiter=',')
    read(f, '1,,2\n', delimiter=',')
    read(f, '1 2 # c\n#z\n3 4\n')
    read(f, '1 2\n3\n')
    read(f, 'a b\n1 2\n')
    read(f, '1,a\n2,3\n', delimiter=',')
    for use in ((2, 0), (1,), (-1,), (0, 0, 1)):
        read(f, '1 2 3\n4 5 6\n', usecols=use)
        read(f, '1 2 3\n4 5 6\n', usecols=use, ndmin=2)
    read(f, '1 2 3\n4 5\n', usecols=(0, 1))
    read(f, '1 2\n\n#q\n3 4\n5 6\n', max_rows=2)
    for dtype in names[1:]:
        read(f, '1 2\n3 4\n', dtype=dtype)
        read(f, '100 0\n+7 7\n', dtype=dtype)
    read(f, '9007199254740993 -9223372036854775808 9223372036854775807', dtype='int64')
    read(f, '18446744073709551615 1', dtype='uint64')
    read(f, 'nan inf -INF Infinity +1 -nan +NaN 1. .5 1e5 1E-5 1e400 -1e-400 0.1 123456789012345678\n')
    read(f, '0.1 1e39 3.4028236e38', dtype='float32')
    read(f, ' 1 , 2 \n3,  4', delimiter=',')
    read(f, '1\t2\n\t3\n' if f is np.genfromtxt else '1\t2\n', delimiter='\t')
    read(f, '1  2\n', delimiter=' ')
    read(f, '0x10 1\n')
    read(f, '1 2\r\n3 4\r\n')
    read(f, '"1" 2')
    read(f, '1 2\n', comments=None)
    read(f, '1 2 % c\n# 3\n', comments='%')
    read(f, '1 2 // c\n', comments='//')
    read(f, '1 2\n \n3 4')
    read(f, '1d5\n')
read(np.loadtxt, '1 2 // c\n3 4 % z', comments=('//', '%'))
read(np.loadtxt, '1e2 2\n5.0 4\n', dtype='int64')
read(np.loadtxt, '1 0 2\n', dtype='bool')
read(np.loadtxt, '1.0 0\n', dtype='bool')
read(np.loadtxt, 'x\n1 2\n\n3 4', skiprows=1)
read(np.loadtxt, '#a\nx\n1 2\n', skiprows=1)
read(np.loadtxt, '#a\nx\n1 2\n', skiprows=2)
read(np.loadtxt, '1 2\n', skiprows=5)
read(np.loadtxt, '', usecols=(0, 1))
read(np.genfromtxt, '1\n2\n', usecols=(0,))
read(np.genfromtxt, '#a\nx y\n1 2\n', skip_header=2)
read(np.genfromtxt, '1 2\n3 4\n5 6\n', skip_footer=1)
read(np.genfromtxt, '1 2\n3 4\n\ntotal\nof 2 rows\n', skip_footer=2)
read(np.genfromtxt, '1 2\n3 4\n', skip_footer=5)
read(np.genfromtxt, '1 2\n3 4\n5 6\n', max_rows=1, skip_header=1)
read(np.genfromtxt, '1,,3\n4,N/A,6\n', delimiter=',')
read(np.genfromtxt, '1,,3\n4,N/A,6\n', delimiter=',', filling_values=-1)
read(np.genfromtxt, '1,,3\n,x,\n', delimiter=',', filling_values=(7, 8, 9))
read(np.genfromtxt, '1,,3,\n,x,,\n', delimiter=',', filling_values=(7, 8), usecols=(3, 1))
for dtype in ('int64', 'int8', 'bool', 'float32'):
    if dtype not in ('bool', 'int8'):  # numbers are missing values for bool, and fractions are none for int8
        read(np.genfromtxt, 'True,,3\n4,N/A,1.5\n', delimiter=',', dtype=dtype)
    read(np.genfromtxt, ',x,\n', delimiter=',', dtype=dtype, filling_values=1)
read(np.genfromtxt, '1 2\n3\n4 5 6\n7 8', invalid_raise=False)
read(np.genfromtxt, 'false TRUE nix', dtype='bool')

# savetxt: the bytes that are written.
written = []


def write(a, **options):
    case = {**array(a), 'options': plain(options)}
    f = io.BytesIO()
    try:
        np.savetxt(f, a, **options)
        case['want'] = f.getvalue().decode('latin1')
    except (ValueError, TypeError, AttributeError) as e:
        case['error'] = str(e)
    written.append(case)


values = np.array([[0.0, -0.0, 1.0, -1.5], [123456.0, 1234567.0, 1e-4, 1e-5], [0.1, 1 / 3, 1e16, 123456789.0],
                   [1e300, -1e-300, 5e-324, 99999.95], [2.5, 3.5, -0.5, 100000.0], [nan, inf, -inf, 1e22]])
for fmt in ('%.18e', '%g', '%e', '%f', '%.3f', '%.0f', '%.0e', '%.0g', '%10.4f',
            '%-10.3g', '%+g', '% .2e', '%012.3f', '%-012g', '%.17g',
            '%.25g', '%G', '%E', '%F', '%s', '%r', '%12s', '%-8s|', '%.3s', '<%.2f>', '%lf', '%08s', '%.50f'):
    write(values, fmt=fmt)
    write((np.arange(6).reshape(2, 3) * 11 - 30), fmt=fmt)
    write(np.array([True, False]), fmt=fmt)
for fmt in ('%d', '%5d', '%-5d', '%05d', '%+d', '% d', '%.4d', '%08.4d', '%i', '%u', '%ld', '%.0d'):
    write(np.array([[-42, 0, 7], [123456, 1, -1]]), fmt=fmt)
    write(values[:5], fmt=fmt)
    write(np.array([True, False]), fmt=fmt)
write(np.array([2 ** 64 - 1, 1], 'uint64'), fmt='%d')
write(np.array([2 ** 64 - 1, 1], 'uint64'))
write(np.array([-2 ** 63, 2 ** 53 + 1]), fmt='%d')
write(np.array([-2 ** 63, 2 ** 53 + 1]), fmt='%s')
write(np.array([0.1, 1 / 3, 1e10, 1e20], 'float32'))
write(np.array([0.1, 1 / 3, 1e10, 1e20], 'float32'), fmt='%s')
write(np.array([nan]), fmt='%d')
write(np.array([[1, 2.5], [3, 4]]), fmt='%d %.1f')
write(np.array([[1, 2.5], [3, 4]]), fmt='a%d, b%.1f;', delimiter='!')
write(np.array([[1, 2.5], [3, 4]]), fmt=('%d', '%.1f'), delimiter=',')
write(np.array([[1, 2.5], [3, 4]]), fmt=('%d', '%d', '%d'))
write(np.array([1, 2]), fmt='%d %d')
write(np.array([1, 2]), fmt='x')
write(np.array([1., 2]), fmt='%x')
write(np.array([1., 2]), fmt='%')
write(np.array([1., 2]), fmt='%*d')
write(np.array(5.0))
write(np.zeros((2, 2, 2)))
write(np.zeros((0, 2)), header='h')
write(np.zeros((2, 0)))
write(np.zeros(0), header='h', footer='f')
write(np.ones((2, 2)), header='a\nb', footer='c\n', comments='% ', newline='\r\n', delimiter=';', fmt='%g')
write(np.ones((2, 2)), delimiter='', newline='', header='x', comments='')

print(json.dumps({'npy': npy, 'refused': refused, 'zips': zips, 'text': text, 'written': written}).replace('}, {', '},\n{'))
