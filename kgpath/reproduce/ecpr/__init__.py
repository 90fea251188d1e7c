"""The tables of Lo & Lim, Contextual Path Retrieval (TOIS 41(1), 2023), on any data and graph."""
