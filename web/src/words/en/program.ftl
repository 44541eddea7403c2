# The programs of a club, by name.

program-random = Random moves
program-random-about = plays random moves; never asks a question
program-random_any = Random moves and questions
program-random_any-about = like random, but asks Any? one time in four; sometimes asks for the count or the recap, uses px, or offers, accepts, declines or withdraws a draw
program-sparring = Sparring partner
program-sparring-about = plays as level-4
program-semi-random = Random moves, captures first
program-semi-random-about = plays random moves, but recaptures, tries pawn captures and asks Any? first; a yardstick
program-simple = Rules of thumb
program-simple-about = recaptures, promotes, makes announced pawn captures, else moves to where its men reach most squares; a yardstick
program-mcts = Tree search
program-mcts-about = information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012); a yardstick
program-master = Master
program-master-about = plays to win: weighs the positions that are possible, compares all attempts in the same positions, expects recaptures, mates a lone king
program-level-1 = Level 1 (beginner)
program-level-1-about = remembers little, overlooks many moves, does not think of recaptures
program-level-2 = Level 2 (easy)
program-level-2-about = remembers a little more, overlooks fewer moves, seldom thinks of recaptures
program-level-3 = Level 3 (medium)
program-level-3-about = overlooks some moves, seldom thinks of recaptures, often forgets what it heard before
program-level-4 = Level 4 (hard)
program-level-4-about = remembers more, and is seldom careless
program-level-5 = Level 5 (very hard)
program-level-5-about = remembers most of what it heard
program-level-6 = Level 6 (strongest)
program-level-6-about = remembers everything that it heard, expects recaptures, mates a lone king
