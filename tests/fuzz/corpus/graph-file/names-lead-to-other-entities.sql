UPDATE name SET folded = 'roger moore' WHERE folded = 'james bond';
