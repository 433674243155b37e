//! What lies where inside a character: bones, layers, weights of what is inside.
