"""The configurations of the programs in which agents run."""
