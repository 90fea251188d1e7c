UPDATE entity SET label = char(27) || '[31m' || label || char(8238);
