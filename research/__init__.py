"""Studies, solvers and proofs about the games; they import the library, which never imports them."""
