"""Synthetic pictures for training: card faces in many print styles, and scenes of them.

Nothing is copied from a photo or a publisher's artwork. A `PrintStyle` is the design of one print
run, `render_face` draws a card in it, `random_scene` draws a whole scene with its ground truth, and
`random_crop` and `random_corner_crop` draw what the readers train on. Equal seeds give equal
pictures.
"""
