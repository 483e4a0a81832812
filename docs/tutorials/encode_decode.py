# %% [markdown]
# # Encode and decode
#
# A discrete flow maps each row to latent codes and back without loss: a permutation of all rows that there can be, learnt
# such that the codes are as independent of each other as possible, and that frequent rows get high codes. Codes are small
# whole numbers, good for whatever wants independent columns: compression, neighbours, interventions.

# %%
import zlib

import numpy as np
import pyarrow as pa

import dtf

# %% [markdown]
# The table: weather of 5,000 days, each column depending on the one before it.

# %%
random = np.random.default_rng(11)
rows = 5000
sky = random.choice(["clear", "clouds", "rain"], rows, p=[0.5, 0.3, 0.2])
wet = np.where(sky == "rain", "wet", np.where(random.random(rows) < 0.1, "wet", "dry"))
traffic = np.where(
    (wet == "wet") & (random.random(rows) < 0.8), "jam", np.where(random.random(rows) < 0.2, "jam", "flowing")
)
late = np.where((traffic == "jam") & (random.random(rows) < 0.7), "late", "on time")
days = pa.table({"sky": sky, "wet": wet, "traffic": traffic, "late": late})

# %% [markdown]
# One flow (`members=1`) has a latent column for each column. `transform` encodes, `inverse_transform` decodes.

# %%
flow = dtf.DiscreteTreeFlow(members=1, base="independent", random_state=0).fit(days)
codes = flow.transform(days)
print(codes[:5])
assert codes.shape == (rows, 4) and codes.dtype == np.int64
assert flow.inverse_transform(codes).equals(days)

# %% [markdown]
# Each column's highest code is the most frequent one: whatever is as expected becomes the same number, and what surprises
# stands out.


# %%
def entropy(column):
    """Nats per cell, if columns are coded one by one."""
    _, counts = np.unique(column, return_counts=True)
    share = counts / counts.sum()
    return float(-(share * np.log(share)).sum())


raw = np.column_stack(
    [np.unique(column.to_numpy(zero_copy_only=False), return_inverse=True)[1] for column in days.columns]
)
before, after = (sum(entropy(column) for column in table.T) for table in (raw, codes))
print(f"columns one by one: {before:.3f} nats per row before, {after:.3f} after")
assert after < before - 0.3
expected = flow.inverse_transform(codes.max(axis=0, keepdims=True))
print("all codes at their highest:", expected.to_pylist()[0])

# %% [markdown]
# So a general compressor does better on the codes of columns stored one after the other, as a column store has them; the
# model brings the rows back.

# %%
small, large = (len(zlib.compress(table.T.astype(np.uint8).tobytes(), 9)) for table in (codes, raw))
print(f"{large} bytes raw, {small} bytes encoded")
assert small < large

# %% [markdown]
# A change in the latent space is a change that keeps the rest as it was relative to what was expected: what if it had
# rained? Set the code of `sky` to that of rain and decode.

# %%
j = days.column_names.index("sky")
of_rain = codes[sky == "rain", j]
assert len(set(of_rain)) == 1  # sky comes first in this flow's order: its code depends on nothing else
changed = codes.copy()
changed[:, j] = of_rain[0]
rainy = flow.inverse_transform(changed)
assert set(rainy["sky"].to_pylist()) == {"rain"}
for name in days.column_names[1:]:
    cells = rainy[name].to_pylist()
    print(f"had it rained: {name} mostly {max(set(cells), key=cells.count)}")

# %% [markdown]
# A mixture, the default, encodes by the member that most probably made the row: its first latent column. Every row still
# comes back.

# %%
mixture = dtf.DiscreteTreeFlow(members=3, random_state=0).fit(days)
latent = mixture.transform(days)
print(mixture.get_feature_names_out())
assert mixture.get_feature_names_out()[0] == "member" and mixture.inverse_transform(latent).equals(days)

# %% [markdown]
# A model is one file, the same for the command line (`dtf encode days.dtf days.csv -o z.csv`).

# %%
flow.save("days.dtf")
assert (dtf.load("days.dtf").transform(days) == codes).all()
