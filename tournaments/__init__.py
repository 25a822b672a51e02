"""Bot-against-bot tournaments of Literature with statistics one can trust."""
