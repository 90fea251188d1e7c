UPDATE entity SET label = x'00ff00';
