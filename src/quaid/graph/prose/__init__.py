"""What sentences say: whom they are about, what they claim, and against what that stands."""
