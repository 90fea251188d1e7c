UPDATE edge SET tail = 4294967296 WHERE head = 0;
