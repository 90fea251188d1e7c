UPDATE entity SET label = 'Somebody Else';
UPDATE name SET text = 'Somebody Else';
