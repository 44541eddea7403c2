# Messages between people: at a game, and for later.

talk-title = Messages

talk-with-players = with your opponent
talk-with-spectators = of the spectators

talk-fresh = { $count } new
talk-log = Messages
talk-nothing = Nothing was written yet.

talk-about-player = Only your opponent reads what you write here. Spectators do not.
talk-about-spectator = Only spectators read what you write here. The players read it when the game is over.
talk-about-after = Choose who reads what you write: your opponent, or everybody here.

talk-to = To

talk-groups-players = Your opponent
talk-groups-spectators = Everybody here

talk-text = Your message
talk-send = Send
talk-line = { $from }: { $text }
talk-mute = Block { $name }
talk-unmute = Unblock { $name }
talk-muted = You block { $name }: you read no messages of { $name }, and neither of you can write to the other or challenge the other.

talk-waiting-title = Messages for you
talk-waiting-from = { $name }, { $when }
talk-waiting-remove = Remove these messages
talk-waiting-reply = Reply to { $name }
talk-waiting-write = Write to somebody
talk-waiting-about = The person reads your message at the next visit to this club.
talk-waiting-name = Name
talk-waiting-left = Your message waits for { $name }.
