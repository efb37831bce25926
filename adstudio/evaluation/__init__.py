"""How good an AD is: the REFRAMED measures against references, baselines, ablations and significance."""
