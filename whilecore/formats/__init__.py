"""Files that other programs wrote, turned into the one table that everything here works on.

``sources`` opens, ``json_lines``, ``delimited`` and ``parquet`` read, ``recognise`` says which
program wrote it, ``unpack`` and ``chat`` flatten what is nested, ``grading`` finds the reward,
``grouping`` the task, ``merging`` the rollout, ``assemble`` puts the table together, and
``read_report`` tells what was taken for what.
"""
