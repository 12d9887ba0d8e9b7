"""What Numba and CUDA make of rules: the only modules that import Numba."""
