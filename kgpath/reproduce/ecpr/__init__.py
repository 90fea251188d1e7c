"""The tables of Lo & Lim, Contextual Path Retrieval (TOIS 41(1), 2023), on any data and graph.

Here: the paper's settings, experiments, tables, pictures and published figures.
Not here: its encoders, rankers, metrics and datasets, which have folders of their own.
"""
