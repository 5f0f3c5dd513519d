"""How cards are seen: when they are shown for enrolment, and when they are played."""

from dataclasses import replace

from hardware.camera.draw.knobs import CropKnobs, Knobs

# Who enrols a card holds it still in fair light, and is asked again if it is blurred.
SHOWN = CropKnobs(
    turns=(0,),
    jitter=0.018,
    sharp=0.7,
    resolution=(0.5, 1.0),
    foreshortened=0.1,
    neighbours=0.15,
    covered=0.0,
    fingers=0.2,
    light=Knobs(dark=0.05, washed=0.05, glare=0.15, blurred=0.2, webcam=0.15, jpeg=0.4),
)
ORDINARY = replace(SHOWN, neighbours=0.3, bent=0.05, light=replace(SHOWN.light, cast=0.4))
"""A card on the table, in the light and before the camera that it was enrolled with, or others."""
HARD = replace(CropKnobs(), turns=(0,))
"""Steep, blurred, covered, dark or burnt out: whatever the other readers learn from as well."""
