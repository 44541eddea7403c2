# Help at a table: the keys and the words.

help-title = Keys and words
help-escape-key = Esc
help-escape = puts the selected man back
help-words = Instead of pressing a button you can type its word into the field; now: { $words }.
help-key-field = goes to the field where a try is typed
help-key-last = reads the last call aloud again (screen readers)
help-key-explain = explains the last call, and what else can be said
help-key-keys = shows these keys
help-ask-men = typed: where your knights are (p and the letter of a man; p alone: all your men)
help-ask-square = typed: what you have on e4 (s a, s 4: on a file, on a rank)
help-ask-last = typed: the last call
help-ask-opponent = typed: your opponent
help-ask-clocks = typed: the clocks
help-ask-game = typed: your colour and the rules
