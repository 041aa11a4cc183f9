"""Functions and methods with typical and odd arguments, by position and by name."""

PROGRAMS = """
np.arange(6).reshape(2,3,order='F')
np.arange(6).reshape((2,-1),order='A')
np.arange(6).reshape(2,3).T.ravel('K')
np.arange(6).reshape(2,3).T.flatten('A')
np.array([[1,2],[3,4]],order='F').flags.f_contiguous
np.zeros((2,3),order='F').strides
np.ones((2,3),dtype='float32',order='F').strides
np.asfortranarray([[1,2],[3,4]]).strides
np.eye(2,3,k=1)
np.full((2,2),np.inf)
np.arange(10,0,-3)
np.arange(0.5,2.5,0.5)
np.linspace(0,1,3,retstep=True)
np.linspace([0.0,1.0],[1.0,1.0],3,axis=1)
np.linspace(0,[10,20],3,dtype='int64')
np.logspace([0,1],[2,3],3)
np.logspace(0,2,3,base=2)
np.geomspace(1,1000,4)
np.concatenate([[1,2],[3]],axis=0)
np.concatenate(([[1],[2]],[[3],[4]]),axis=1)
np.concatenate([[1,2],[3]],dtype='float32')
np.stack([[1,2],[3,4]],axis=-1)
np.vstack(([1,2],[3,4]))
np.hstack(([1,2],[3,4]))
np.dstack(([1,2],[3,4]))
np.column_stack(([1,2],[3,4]))
np.split(np.arange(6),[2,4])
np.array_split(np.arange(7),3)
np.tile([1,2],(2,2))
np.repeat([[1,2],[3,4]],2,axis=1)
np.repeat([1,2,3],[0,1,2])
np.flip([[1,2],[3,4]],axis=1)
np.roll([1,2,3,4],-1)
np.roll([[1,2],[3,4]],1,axis=0)
np.rot90([[1,2],[3,4]],k=3)
np.sum([[1,2],[3,4]],axis=(0,1))
np.sum([[1,2],[3,4]],axis=1,keepdims=True)
np.sum([1.5,2.5],dtype='int64')
np.sum([1,2,3],initial=10)
np.sum([1,2,3],where=[True,False,True])
np.mean([[1,2],[3,4]],axis=0)
np.mean([1,2,3],where=[True,False,True])
np.mean(np.float32([1,2,4]))
np.std([1,2,4])
np.std([1,2,4],ddof=1)
np.var([[1,2],[3,5]],axis=1,ddof=1)
np.median([[1,3],[2,9]],axis=0)
np.median([])
np.percentile([1,2,3,4],50)
np.percentile([1,2,3,4],[25,75])
np.quantile([1,2,3,4],0.3,method='nearest')
np.min([[1,2],[0,5]],axis=1)
np.max([1,5,2],initial=9)
np.argmin([3,1,2])
np.argmax([[1,9],[4,3]],axis=0)
np.ptp([1,7,3])
np.cumsum([[1,2],[3,4]],axis=1)
np.cumprod([1,2,3,4])
np.cumsum([True,True])
np.diff([1,4,9,16],n=2)
np.prod([[1,2],[3,4]],axis=0)
np.all([[True,False],[True,True]],axis=0)
np.any([[0,0],[0,1]],axis=1)
np.sort([[3,1],[2,0]],axis=0)
np.sort([[3,1],[2,0]],axis=None)
np.argsort([3,1,2],kind='stable')
np.searchsorted([1,2,3],2,side='right')
np.unique([3,1,1,2],return_counts=True)
np.unique([[1,2],[1,2],[0,5]],axis=0,return_inverse=True,return_counts=True,return_index=True)
np.where([True,False],[1,2],[3,4])
np.where([0,1,1])
np.nonzero([[0,1],[1,0]])
np.argwhere([[0,1],[1,0]])
np.count_nonzero([[0,1],[1,1]],axis=0)
np.clip([1,5,9],None,6)
np.clip([1.5,5,9],2,6)
np.clip(np.arange(5),1,3,out=np.zeros(5,dtype='int64'))
np.round([1.25,2.35],1)
np.round(1234.567,-2)
np.around([0.5,1.5,2.5])
np.floor([-1.5,1.5])
np.ceil([-1.5,1.5])
np.trunc([-1.5,1.5])
np.rint([-1.5,0.5])
np.abs([-1,2])
np.sign([-2.0,0,3])
np.sqrt([4,9])
np.square([2,3])
np.exp([0,1])
np.log([1,np.e])
np.power([2,3],2)
np.power(2,[1,2,3])
np.mod([-1,5],3)
np.divmod([7,-7],3)
np.floor_divide([7,-7],2)
np.maximum([1,5],[3,2])
np.isnan([1,np.nan])
np.isinf([1,np.inf])
np.isclose([1.0,2.0],[1.0,2.1])
np.allclose([1,2],[1,2+1e-9])
np.array_equal([1,2],[1,2])
np.dot([1,2],[3,4])
np.dot([[1,2],[3,4]],[1,1])
np.matmul([[1,2],[3,4]],[[1,0],[0,1]])
np.inner([1,2],[3,4])
np.outer([1,2],[3,4])
np.cross([1,2,3],[4,5,6])
np.cross([[1,2],[3,4]],[[5,6],[7,8]])
np.kron([1,2],[1,1])
np.trace([[1,2],[3,4]],offset=1)
np.einsum('ii',[[1,2],[3,4]])
np.einsum('ij->j',[[1,2],[3,4]])
np.tensordot([[1,2],[3,4]],[[1,0],[0,1]])
np.transpose(np.zeros((2,3,4)),(2,0,1)).shape
np.swapaxes(np.zeros((2,3,4)),0,2).shape
np.moveaxis(np.zeros((2,3,4)),0,-1).shape
np.expand_dims([1,2],(0,-1)).shape
np.squeeze(np.zeros((1,3,1)),axis=0).shape
np.broadcast_to([1,2],(2,2))
np.meshgrid([1,2],[3,4])
np.bincount([0,1,1,3],minlength=6)
np.histogram([1,2,1],bins=[0,1,2,3])
np.histogram([1,2,1,5],bins=4,range=(0,8))
np.histogram([1.0,2.0],bins=2,density=True)
np.digitize([0.2,6.4,3.0],[0.0,1.0,2.5,4.0])
np.interp([0.5,2.5],[1,2,3],[3,2,0])
np.polyfit([0,1,2],[1,3,7],2).round(6)
np.polyval([1,2,3],2)
np.convolve([1,2,3],[0,1,0.5],'same')
np.correlate([1,2,3],[0,1,0.5],'full')
np.gradient([1.0,2,4,7],2.0)
np.trapz([1,2,3],dx=2)
np.corrcoef([1,2,3],[1,2,3.5]).round(6)
np.cov([1,2,3],[1,2,3.5]).round(6)
np.average([1,2,3],weights=[3,2,1])
np.nansum([1,np.nan])
np.nanmean([[1,np.nan],[3,4]],axis=0)
np.nanmax([1,np.nan,3])
np.nanstd([1,np.nan,3])
np.nan_to_num([np.nan,np.inf,-np.inf])
np.isin([1,2,3],[2])
np.intersect1d([1,2,3],[2,3,4])
np.union1d([1,2],[2,3])
np.setdiff1d([1,2,3],[2])
np.append([[1,2]],[[3,4]],axis=0)
np.insert([1,2,3],[1,2],[9,8])
np.delete([[1,2],[3,4]],0,axis=1)
np.take([[1,2],[3,4]],[0,0],axis=1)
np.take([1,2,3],5,mode='clip')
np.choose([0,1],[[1,2],[3,4]])
np.select([[True,False],[False,True]],[[1,2],[3,4]],default=-1)
np.pad([[1,2],[3,4]],((1,0),(0,1)),constant_values=7)
np.pad([1,2,3],2,mode='reflect')
np.triu(np.arange(9).reshape(3,3),1)
np.tril_indices(2)
np.diag([[1,2],[3,4]])
np.fromiter([1,2,3],dtype='float64')
np.apply_along_axis(np.max,1,[[1,2],[3,0]])
np.vectorize(lambda x: x*2)([1,2])
np.atleast_2d([1,2])
np.ravel_multi_index((1,2),(3,4))
np.unravel_index(6,(3,4))
np.argpartition([3,1,2],1)[1]
np.lexsort(([1,2,1],[0,0,0]))
np.ediff1d([1,2,4],to_end=[9])
np.logaddexp(0,0)
np.hypot(3,4)
np.deg2rad([180])
np.arctan2([1,-1],[1,1])
np.sinh(1.0)
np.bitwise_and([5,6],3)
np.left_shift(1,[1,2,3])
1 << np.arange(3)
256 >> np.arange(3)
1 << np.arange(3, dtype='uint8')
np.arange(3) << 2
True << np.arange(2)
np.invert([True,False])
~np.arange(3)
np.logical_not([0,1])
np.gcd(12,[8,9])
np.float32(0.1)
np.float64('nan')
np.int64('12')
np.int8(5)+1
np.dtype('float64').itemsize
np.dtype(float).name == 'float64'
np.dtype('i4').str == '<i4'
np.dtype('i4').byteorder == '='
np.dtype('f4').num
np.dtype('f4').alignment
np.dtype('f4').isnative
np.dtype('f4') == np.float32
np.dtype('f4').type == np.float32
np.dtype('f4').ndim
np.dtype('f4').shape
np.issubdtype(np.int32,np.integer)
np.can_cast('int64','float32')
np.array([1,2,3]).mean(axis=0,keepdims=True)
np.array([1,2,3]).astype('f4').dtype.name == 'float32'
np.array([[1,2],[3,4]]).sum(0)
np.array([[1,2],[3,4]]).max(axis=1)
np.array([[1,2],[3,4]]).argmax()
np.array([[1,2],[3,4]]).cumsum()
np.array([[1,2],[3,4]]).tolist()
np.array([[1,2],[3,4]]).flatten()
np.array([[1,2],[3,4]]).std()
np.array([[1,2],[3,4]]).var(axis=0)
np.array([[1,2],[3,4]]).prod()
np.array([[1,2],[3,4]]).ptp(axis=0)
np.array([[1,2],[3,4]]).trace()
np.array([[1,2],[3,4]]).diagonal()
np.array([[1,2],[3,4]]).T
np.array([[1,2],[3,4]]).repeat(2)
np.array([[1,2],[3,4]]).take([0,3])
np.array([[1,2],[3,4]]).compress([True,False],axis=0)
np.array([3,1,2]).argsort()
np.array([3,1,2]).clip(1,2)
np.array([3,1,2]).clip(max=2)
np.array([3.7,1.2]).round()
np.array([3,1,2]).any()
np.array([3,1,2]).dot([1,1,1])
np.array([3,1,2]).item(0)
np.array([3,1,2]).nonzero()
np.array([3,1,2]).view('uint64')
np.array([3,1,2]).astype(float).view('int64')
np.array([3,1,2]).swapaxes(0,0)
np.array([3,1,2]).astype('float32', copy=False)
np.array([3,1,2]).astype('int8', casting='unsafe')
np.array([3.5,1,2]).astype('int8', casting='safe')
np.array([1,2,3]).sum(axis=-1)
np.array([1,2,3]).sum(dtype='float32')
np.array([1,2,3]).min(initial=0)
np.array(5).sum(axis=0)
np.array(5).max(axis=-1)
np.array(5).argmax(axis=0)
np.array(5).cumsum(axis=0)
np.array(5).cumsum()
np.array(5).ravel()
np.array(5).sum(axis=1)
np.array(5).sort()
np.array([]).max()
np.array([]).sum()
np.array([]).mean()
np.array([0.1]*10).sum()
np.array([[0.1,0.2],[0.3,0.4]]).sum(axis=0)
np.ones((2,3)).sum(axis=(0,1))
np.array([True,False])**2
np.array([1,2])**2.0
np.array([1,2])**0.5
np.array([1.0,-np.inf])**0.5
np.array([1.0,4.0])**-1
np.array([1,2])**-1
2**np.arange(3)
np.array([1,2])@np.array([3,4])
np.array([1,2])//0
np.array([1.0,2])//0
np.array([7,-7])%3
-np.array([True])
np.array([1,2])==np.array([1,3])
np.array([1,2])!=1
np.array([1,2,3])[np.array([True,False,True])]
np.array([1,2,3])[[0,-1]]
np.array([[1,2],[3,4]])[:,0]
np.array([[1,2],[3,4]])[...,None].shape
np.array([[1,2],[3,4]])[[0,1],[1,0]]
np.array([1,2,3])[::-1]
np.ix_([0,1],[1,2])
np.add.reduce([[1,2],[3,4]])
np.add.reduce(np.array(4))
np.add.reduce([[1,2],[3,4]],axis=None)
np.add.reduceat(np.arange(8).reshape(2,4),[0,2],axis=1)
np.multiply.reduceat([1,2,3,4],[0,2,1])
np.maximum.reduceat([1,5,3,4],[0,3])
np.add.accumulate([1,2,3])
np.multiply.outer([1,2],[3,4])
np.subtract.reduce([10,2,3])
np.add([1,2],[3,4],out=np.zeros(2))
np.add(1,2,dtype='float32')
np.add(np.arange(3),10,where=[True,True,True])
np.sinc([0,0.5])
np.heaviside([-1,0,1],0.5)
np.cbrt([8,27])
np.reciprocal([2.0,4.0])
np.reciprocal([2,1])
np.ldexp([1,2],3)
np.frexp([8.0])
np.modf([1.5,-2.5])
np.nextafter(1,2)
np.copysign([1,2],-1)
np.signbit([-1.0,1])
np.fmod([-7,7],3)
np.fix([-2.7,2.7])
np.angle([1.0,-1.0],deg=True)
np.angle(-1)
np.unwrap([0,3,7,-2.5])
np.unwrap([[0,3,7.0],[1,5,9]],axis=1)
np.real(2)
np.imag([1.5])
np.packbits([[1,0,1],[0,1,0]],axis=1)
np.packbits([1,1,0,0,0,0,0,0,1],bitorder='little')
np.unpackbits(np.uint8([[2],[7]]),axis=1)
np.unpackbits(np.uint8([2,7]),count=10)
np.unpackbits(np.uint8([2,7]),count=-3)
np.frombuffer(b'abcd',dtype='uint8')
np.frombuffer(b'abcd',dtype='uint8',count=2,offset=1)
np.frombuffer(b'abc',dtype='int16')
np.require([1,2],'float32',['C','W'])
np.require([[1,2],[3,4]],requirements='F').strides
np.polydiv([1,5,6],[1,2])
np.polydiv([1],[1,2])
np.polydiv([3.0,5.0,2.0],[2.0,1.0])
np.roots([2,0,-8])
np.roots([1,-1,0,0])
np.roots([0,0])
np.roots([5])
np.polyfit([0,1,2,3],[[1,2],[3,4],[5,6],[7,8]],1).round(6)
np.polyfit([0,1,2,3],[1,3,5,8],1,w=[1,1,1,2]).round(6)
np.polyfit([0,1,2,3],[1,3,5,8],1,cov=True)[1].round(6)
np.polyfit([0,1,2,3],[1,3,5,8],1,full=True)[1].round(6)
np.polyfit([0,1,2,3],[1,3,5,8],1,cov='unscaled')[1].round(6)
np.polyfit([0,1],[1,3],3).round(4)
np.array_equiv([1,2],[[1,2],[1,3]])
np.array_equiv([1,2],[1,2,3])
np.size([[1,2]],1)
np.size(5)
np.resize([1,2,3],(2,2))
list(np.ndindex(2))
list(np.ndindex((1,2)))
list(np.ndindex())
[(i,int(x)) for i,x in np.ndenumerate([[1,2]])]
np.flatnonzero([0,1,1])
np.extract([True,False],[1,2])
np.compress([True,False,True],[[1,2,3],[4,5,6]],axis=1)
np.diagonal([[1,2],[3,4]])
np.vander([1,2,3],2)
np.tri(2,3)
np.identity(2,dtype='int8')
np.copy([1,2],order='F')
np.asarray([1,2],dtype=float)
np.asarray((1,2.5))
np.array([1,2],dtype=np.float32)
np.array([1,2],ndmin=2)
np.array([[1,2],[3]])
np.array(range(3))
np.array([1,2,3],dtype='bool')
np.full_like([1,2],2.7)
np.empty((0,3)).shape
np.mgrid[0:2,0:2]
np.r_[1:3,5]
np.finfo(float).eps
np.iinfo('int8').max
np.isscalar(3)
np.ndim([[1]])
np.shape([[1,2]])
np.NINF
np.Inf
np.bool_(1)
np.sum(np.uint8([200,100]))
np.mean(np.float32([0.1]*3))
np.histogram2d([1,2],[1,2],bins=2)[0]
np.partition([3,1,2],1)[1]
np.msort([3,1])
np.nanpercentile([1,np.nan,3],50)
np.cumsum([1,2,3],dtype='float32')
np.nancumsum([1,np.nan])
np.isreal([1,2])
np.block([[1,2],[3,4]])
np.hsplit(np.arange(4).reshape(2,2),2)
np.dsplit(np.zeros((1,1,2)),2)[0].shape
np.rollaxis(np.zeros((2,3,4)),2).shape
np.amax([1,2])
np.product([1,2,3])
np.sometrue([0,1])
np.alltrue([1,0])
np.in1d([1,2],[2])
np.round_([1.26],1)
np.base_repr(5,2) == '101'
np.binary_repr(5,width=6) == '000101'
np.max([[1,2],[3,4]],(0,1))
np.argmax([1,2],keepdims=True)
np.cov([[1,2,3],[3,2,1]],bias=True)
np.interp(5,[1,2,3],[1,2,3],left=0,right=-1)
np.interp([0.5,4.2],[1,2,3],[3,2,0],period=3)
np.quantile([[1,2],[3,4]],[0.5],axis=1)
np.clip(5,0,3)
np.where(np.arange(3)>1,1.0,0)
np.abs(-3)
np.zeros(3,int)
np.zeros((2,),dtype=bool)
np.zeros([2,1])
np.ones_like(np.zeros((2,2),dtype='int8'),dtype=float)
np.eye(2,dtype=int,order='C')
np.full(2,1,dtype='f4',order='F')
np.zeros_like([1,2],order='K')
np.arange(3,dtype=float)
np.arange(start=1,stop=4)
np.linspace(start=0,stop=1,num=2)
np.reshape(a=[1,2],newshape=(2,1))
np.sum(a=[1,2])
np.transpose([[1,2]],axes=(1,0))
np.concatenate(([1],[2]),axis=None)
np.stack(arrays=[[1],[2]],axis=1)
np.squeeze(a=[[1]])
np.dot(a=[1],b=[2])
np.clip(a=[5],a_min=0,a_max=3)
np.tile(A=[1],reps=2)
np.repeat(a=[1],repeats=2)
np.sort(a=[2,1],axis=-1)
np.expand_dims(a=[1],axis=0)
np.split(ary=np.arange(4),indices_or_sections=2)
np.allclose(a=[1],b=[1],rtol=1e-3,atol=0)
np.isclose([np.nan],[np.nan],equal_nan=True)
np.array_equal([np.nan],[np.nan],equal_nan=True)
np.dtype('i4').kind == 'i'
np.dtype('u2').char == 'H'
np.dtype('f8').num
np.dtype('i1').byteorder == '|'
np.array([[3,1],[2,5]]).compress([False,True])
np.array([3,1]).astype('f4',casting='safe')
np.array([3,1]).astype('f4',order='F',copy=False)
np.array([[3,1]]).astype('i8','F').flags.c_contiguous
np.interp([0.5,4.2,-1],[3,1,2],[3,2,0],period=-3)
np.clip([1,5,9],2,6,np.zeros(3))
np.concatenate([[1,2],[3]],out=np.zeros(3))
np.binary_repr(-5) == '-101'
np.binary_repr(-5,8) == '11111011'
np.base_repr(-255,16,2) == '-00FF'
np.unique([[2,1],[0,3],[2,1]],axis=0)
np.unique([[2.5,1],[0,3]],axis=1,return_inverse=True)
np.unique(np.uint64([[2,1],[0,3]]),axis=0)
np.unwrap([0,4.0],discont=5)
np.frombuffer(np.array([1.5,2]))
np.packbits([])
np.PINF
np.NZERO
np.linspace([1.0],[2.0],0).shape
np.linspace([1.0],2,1)
np.logspace([0.0,1],2,2,axis=1)
np.require([1,2],requirements='Q')
np.array([1,2],order='Q')
np.zeros(2,order='X')
np.sort([2,1],kind='heapsort')
np.array([2,1]).astype('U')
np.float32('1e400')
np.int64('1.5')
np.float64('x')
np.float64(' -inf ')
x = np.arange(4); x[1:3] += 2; v = x
x = np.arange(4); x[x>1] *= 2; v = x
x = np.arange(4); x[[0,0]] += 1; v = x
x = np.arange(4); x[1] += 2.7; v = x
x = np.arange(4); x[1:3] += 2.7; v = x
x = np.arange(4); x[1:3] @= 2; v = x
x = np.arange(4.0); x[1:3] /= 2; v = x
x = np.arange(4.0); x[::2] **= 2; v = x
x = np.zeros((2,2)); x[0] += [1,2]; v = x
x = np.zeros((2,2)); x[:,0] -= 1; v = x
x = np.zeros((2,2)); i=1; x[i,i] += 5; v = x
x = np.zeros((2,2)); i=[0,1]; x[i] += 5; v = x
x = np.zeros((2,2)); m=x==0; x[m] += 5; v = x
x = np.arange(4); m=x>1; x[m] //= 2; v = x
x = np.arange(4); m=x>1; x[m] /= 2; v = x
d = {'a': 1}; k='a'; d[k] += 1; v = d['a']
l = [1,2,3]; l[0] += 5; v = l
l = [[1],[2]]; l[0] += [5]; v = l
l = [1,2,3]; i=1; l[i] <<= 2; v = l
x = np.arange(6).reshape(2,3); x.flat=[7,8]; v = x
x = np.arange(6).reshape(2,3).T; x.flat=[7,8]; v = x
x = np.arange(3); x.flat[1]=5; v = x
x = np.arange(4); x.resize(2,1); v = x
x = np.arange(4); x.resize(6,refcheck=False); v = x
x = np.zeros(3); np.add(x,1,out=x); v = x
x = np.zeros(3); np.add.at(x,[0,0],1); v = x
x = np.zeros(3); np.put(x,[0,2],[5,6]); v = x
x = np.zeros(3); np.copyto(x,[1,2,3]); v = x
x = np.arange(3); x.fill(7); v = x
x = np.array([3,1,2]); x.sort(); v = x
x = np.array([[3,1,2]]); x.sort(axis=0); v = x
x = np.arange(3); y=x[:2]; y[0]=9; v = x
x = np.arange(3); x[:]=5; v = x
x = np.arange(3); x[...]=[1,2,3]; v = x
x = np.arange(3); x+=1; v = x
x = np.arange(3); x+=1.5; v = x
x = np.arange(6).reshape(2,3); x.shape=(3,2); v = x
x = np.arange(3); x=x+1; v = x
total = [0]; total[0] += 3; v = total
"""


def cases(f):
    f.either(*PROGRAMS.strip().split("\n"))
