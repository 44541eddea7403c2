# Not reviewed: nobody but the translator has read these texts.
# What was wrong in a turn, and trying it again.

mistake-lapse-retaken = Wo { $made } schlug, konnte in { $percent } % der Stellungen zurückgeschlagen werden.
mistake-lapse-pawn-try = In jeder möglichen Stellung war ein Bauernschlag legal, und { $best } ist einer.
mistake-lapse-draw = In { $percent } % der Stellungen beendet { $made } die Partie mit Remis.
mistake-lapse-free = { $best } zuerst zu versuchen kostete nichts: In { $percent } % der Stellungen ist die Antwort „no“, und niemand sonst hört sie.
mistake-lapse-ask-any = Any? hätte zuerst gefragt werden sollen: In { $percent } % der Stellungen ist die Antwort ja.
mistake-lapse-known = { $percent ->
    [100] In jeder möglichen Stellung
   *[other] In { $percent } % der Stellungen
  } stand auf { $square } { $man ->
    [queen] eine Dame
    [rook] ein Turm
    [bishop] ein Läufer
    [knight] ein Springer
    [king] ein König
   *[pawn] ein Bauer
  }: { $best } geht dorthin.
mistake-retry-open = { $own ->
    [true] Aus meinen Fehlern lernen
   *[false] Aus den Fehlern von { chess-side } lernen
  }
mistake-retry-title = Kriegspiel Umpire: aus Fehlern lernen
mistake-retry-heading = Fehler { $n } von { $all }
mistake-retry-about = Zug { $turn } von { chess-side }, mit dem, was { chess-side } gehört hatte. Die Versuche werden in den Stellungen bewertet, die möglich waren, jede nach ihrer Wahrscheinlichkeit, nicht in der wahren.
mistake-retry-task = Hier wurde { $made } gespielt. Das kostete im Mittel { $cost } Bauern. Was ist besser?
mistake-retry-task-mate = Hier wurde { $made } gespielt. Aber das Matt ließ sich erzwingen, wo auch immer alles stand. Wie?
mistake-retry-standing = Versuche diesen Zug noch einmal
mistake-retry-answer = Was geschehen wäre
mistake-retried-solved = Das ist kein Fehler.
mistake-retried-refuted = Auch das ist ein Fehler.
mistake-retry-show = Den besten zeigen
mistake-retry-next = Nächster Fehler
mistake-retry-back = Zurück zur Partie
mistake-retry-none = Kein Zug gab einen Bauern oder ein Matt her.
mistake-retry-any = { $played ->
    [100] In jeder möglichen Stellung ist die Antwort ja.
    [0] In jeder möglichen Stellung ist die Antwort nein.
   *[other] In { $played } % der möglichen Stellungen ist die Antwort ja.
  }
mistake-retry-played = { $played ->
    [100] Er wird in jeder möglichen Stellung ausgeführt.
    [0] Er wird in fast jeder möglichen Stellung abgelehnt, oder in jeder.
   *[other] Er wird in { $played } % der möglichen Stellungen ausgeführt und in { $refused } % abgelehnt.
  }
mistake-retry-captures = Er schlägt in { $captures } %, und in { $retaken } % kann der Gegner zurückschlagen.
mistake-retry-exposed = In { $exposed } % kann der Gegner die Figur sofort schlagen.
mistake-retry-checks = Er gibt in { $checks } % Schach.
mistake-retry-mates = Er setzt in { $mates } % matt.
mistake-retry-draws = In { $draws } % endet die Partie mit Remis.
mistake-retry-worth = Er ist im Mittel { $value } Bauern wert, die besten Versuche { $most }.
mistake-retry-is-best = Nichts ist besser.
mistake-retry-best = Am besten: { $best }.
mistake-retry-best-any = Am besten: zuerst Any?; nach der Antwort nein { $best }.
mistake-retry-mating = Er erzwingt das Matt, wo auch immer alles stand.
mistake-retry-mate = { $best } erzwingt das Matt, wo auch immer alles stand.
