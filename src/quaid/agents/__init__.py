"""What agents and their programs are given: skills, and the ways in which clients are set up."""
