# Not reviewed: nobody but the translator has read these texts.

device-title = { chess-side } ist am Zug
device-about = Gib das Gerät an { chess-side } weiter. Jetzt sieht nur { chess-side } auf den Bildschirm.
device-show = Figuren von { chess-side } zeigen
device-cover = Bildschirm für { chess-side } verdecken
