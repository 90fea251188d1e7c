UPDATE edge SET head = -7 WHERE head = 17;
