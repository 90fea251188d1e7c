UPDATE edge SET relation = 'first';
