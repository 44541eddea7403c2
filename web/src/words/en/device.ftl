# Two people play on one device.

device-title = { chess-side }: your turn
device-about = Hand the device to { chess-side }. Only { chess-side } looks at the screen now.
device-show = Show me the men of { chess-side }
device-cover = Cover the screen for { chess-side }
