"""The parts of the benchmark: its data, the programs it compares, the measuring, the report."""
