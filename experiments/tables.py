"""Generated tables: columns that depend on each other through a hidden class, so that trees find what to split on."""

import dataclasses

CLASSES = 20
KEPT = 0.75  # how often a cell has its class's category; else any
CHUNK_CELLS = 4_000_000


@dataclasses.dataclass
class Shape:
    rows: int
    columns: int
    categories: int
    fat: int = 0  # categories of one more column, in front; 0: no such column

    def sizes(self):
        return [self.fat] * (self.fat > 0) + [self.categories] * self.columns


def write(path, shape, seed=1, rows_seed=2):
    """Writes the table as CSV with a header. `seed`: the distribution; `rows_seed`: which rows of it."""
    import numpy

    sizes = numpy.array(shape.sizes())
    favourites = numpy.random.default_rng(seed).integers(sizes, size=(CLASSES, len(sizes)))
    random = numpy.random.default_rng((seed, rows_seed))
    widths = [len(str(size - 1)) for size in sizes]
    with open(path, "wb") as file:
        file.write(",".join(f"c{j + 1}" for j in range(len(sizes))).encode() + b"\n")
        step = max(1, CHUNK_CELLS // len(sizes))
        for first in range(0, shape.rows, step):
            rows = min(step, shape.rows - first)
            hidden = random.integers(CLASSES, size=rows)
            kept = random.random((rows, len(sizes)), dtype=numpy.float32) < KEPT
            codes = numpy.where(kept, favourites[hidden], random.integers(sizes, size=(rows, len(sizes))))
            file.write(_lines(numpy, codes, widths))


def _lines(numpy, codes, widths):
    """CSV lines of the codes as decimal numbers, column j padded with zeros to widths[j] digits."""
    line = numpy.empty((len(codes), sum(widths) + len(widths)), dtype=numpy.uint8)
    end = 0
    for j, width in enumerate(widths):
        rest = codes[:, j]
        for place in range(width):
            line[:, end + width - 1 - place] = rest % 10 + ord("0")
            rest = rest // 10
        end += width + 1
        line[:, end - 1] = ord(",")
    line[:, -1] = ord("\n")
    return line.tobytes()
