UPDATE meta SET value = '../kept' WHERE key = 'fingerprint';
