"""The maker of the sample film, which `packaging/sample.sh` runs: it draws, speaks and encodes what `written` holds."""
