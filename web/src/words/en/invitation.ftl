# The page of an invitation: a link that the user sends to a friend.

invitation-title = Kriegspiel Umpire: a challenge
invitation-yours = Your challenge by link
invitation-theirs = { $name } challenges you
invitation-random-colours = random colours
invitation-you-play = you play { chess-side }
invitation-you-would = you would play { chess-side }
invitation-send = Send this link. You play against the first person who opens it and accepts. The game then opens here by itself.
invitation-link = The link
invitation-copy = Copy
invitation-copied = Copied
invitation-withdraw = Cancel
invitation-taken = Somebody has already accepted this challenge, which is for one game. You can watch games in progress in the lobby.
invitation-accept = Accept and play
invitation-to-lobby = To the lobby
invitation-loading = Loading...
invitation-missing = No such challenge
