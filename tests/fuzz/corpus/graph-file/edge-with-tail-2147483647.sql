UPDATE edge SET tail = 2147483647 WHERE head = 0;
