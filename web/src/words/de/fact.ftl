# Not reviewed: nobody but the translator has read these texts.

fact-on = { $count ->
    [one] { fact-the-man } steht auf { $squares }.
   *[other] Die { chess-men-title } stehen auf { $squares }.
  }
fact-the-man = { $man ->
    [queen] Die Dame
   *[other] Der { chess-man }
  }
fact-one-of = { fact-the-man } steht auf { $squares }.
fact-among = { $count ->
    [one] { fact-one } steht auf { $squares }.
   *[other] { chess-men-title } stehen auf { $squares }.
  }
fact-one = { $man ->
    [queen] Eine Dame
   *[other] Ein { chess-man }
  }
fact-other = { $man ->
    [queen] Die andere Dame steht auf { $squares }.
   *[other] Der andere { chess-man } steht auf { $squares }.
  }
fact-occupied = { $men } steht auf { $square }.
fact-occupied-by-any = Auf { $square } steht eine Figur.
fact-a-man = { $man ->
    [queen] eine Dame
   *[other] ein { chess-man }
  }
fact-left = { $count ->
    [0] { $man ->
        [queen] Keine Dame ist übrig.
       *[other] Kein { chess-man } ist übrig.
      }
    [1] { fact-one } ist übrig.
   *[other] { fact-number } { chess-men-title } sind übrig.
  }
fact-number = { $count ->
    [2] Zwei
    [3] Drei
    [4] Vier
    [5] Fünf
    [6] Sechs
    [7] Sieben
    [8] Acht
    [9] Neun
    [10] Zehn
   *[other] { $count }
  }
