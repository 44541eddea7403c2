# Facts about the opponent's men that a player could know for certain.

fact-on = { $count ->
    [one] The { chess-man } is on { $squares }.
   *[other] The { chess-man }s are on { $squares }.
  }
fact-one-of = The { chess-man } is on { $squares }.
fact-among = { $count ->
    [one] A { chess-man } is on { $squares }.
   *[other] { chess-men-title } are on { $squares }.
  }
fact-other = The other { chess-man } is on { $squares }.
fact-occupied = { $men } is on { $square }.
fact-occupied-by-any = A man is on { $square }.
fact-a-man = a { chess-man }
fact-left = { $count ->
    [0] No { chess-man } is left.
    [1] One { chess-man } is left.
   *[other] { fact-number } { chess-man }s are left.
  }
fact-number = { $count ->
    [2] Two
    [3] Three
    [4] Four
    [5] Five
    [6] Six
    [7] Seven
    [8] Eight
    [9] Nine
    [10] Ten
   *[other] { $count }
  }
