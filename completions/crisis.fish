# fish loads this file at the first Tab behind crisis.
crisis completion fish | source
