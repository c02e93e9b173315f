"""Prints the output of kustomize for a folder, with the library of the package pykustomize.

The package requires a newer Python than most machines have, but the library in it needs none.
"""

import ctypes
import glob
import sys

library, folder = sys.argv[1:]
kustomize = ctypes.CDLL(glob.glob(f"{library}/pykustomize/_lib/linux-*/libpykustomize.so")[0])
kustomize.pykustomize_last_error.restype = ctypes.c_char_p
made = ctypes.c_char_p()
if kustomize.pykustomize_build(folder.encode(), b"{}", ctypes.byref(made)) != 0:
    sys.exit(kustomize.pykustomize_last_error().decode())
sys.stdout.write(made.value.decode())
