"""Words and vectors in a LanceDB index, in a folder or in object storage, that several machines ask."""
