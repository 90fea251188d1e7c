UPDATE meta SET value = '/kgpath-fuzz-nowhere' WHERE key = 'fingerprint';
