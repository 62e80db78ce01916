"""Learning: what a network is shown, the networks, and how self-play trains them.

`train_agent` trains an agent from a `TrainConfig`; `PRESETS` holds the paper's settings and ours.
`load_weights` reads a trained network with its card, `shipped` lists those in the box. Everything
that needs torch is imported when it is first asked for.
"""
