from pkg import version
