UPDATE entity SET label = CAST(x'eda080' AS TEXT);
