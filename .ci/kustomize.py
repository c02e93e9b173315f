"""Prints what kustomize makes of a folder, with the library of the package pykustomize: for machines without kubectl.

The package asks for a newer Python than machines have, and the library in it for none at all.
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
