UPDATE meta SET value = '..' WHERE key = 'fingerprint';
