"""Pages as HTML that is safe to show: one writer, one sanitiser, for every format."""
