# %% [markdown]
# # Synthetic data
#
# A fitted model can be sampled: new rows with the table's own values and types, in which the columns hang together as in
# the table. For tests, demonstrations and teaching, or where a table may not leave the house. (A sample is no proof of
# privacy: see the end.)

# %%
import numpy as np
import pandas as pd

import dtf

# %% [markdown]
# The table: 4,000 loans, with a number, a date, an ordered category and a missing value here and there.

# %%
random = np.random.default_rng(3)
rows = 4000
grade = random.choice(["A", "B", "C", "D"], rows, p=[0.3, 0.35, 0.25, 0.1])
risk = np.array([{"A": 0.02, "B": 0.07, "C": 0.2, "D": 0.4}[g] for g in grade])
loans = pd.DataFrame(
    {
        "grade": pd.Categorical(grade, ["A", "B", "C", "D"], ordered=True),
        "amount": (random.gamma(3, 2000, rows) * (1 + 3 * risk)).round(-1),
        "month": pd.to_datetime("2024-01-01") + pd.to_timedelta(28 * random.integers(0, 12, rows), unit="D"),
        "purpose": np.where(random.random(rows) < 0.05, None, random.choice(["car", "house", "study"], rows)),
        "paid_back": random.random(rows) > risk,
    }
)
train, test = loans.iloc[:3000], loans.iloc[3000:].reset_index(drop=True)

# %% [markdown]
# Numbers with many values are cut into bins; sampling draws within a bin. `sample` gives a table like the one that was
# fitted: the same columns, types, and order of categories.

# %%
flow = dtf.DiscreteTreeFlow(bins={"amount": 10}, random_state=0).fit(train)
synthetic = flow.sample(3000, random_state=1)
print(synthetic.head())
assert list(synthetic.dtypes) == list(train.dtypes)
assert set(synthetic["purpose"].dropna()) <= set(train["purpose"].dropna())
assert flow.sample(5, random_state=1).equals(synthetic.head(5))  # a sample is one long list

# %% [markdown]
# Is it any good? First look at the columns, then at what matters: how one depends on another.

# %%
shares = pd.DataFrame(
    {"real": train["grade"].value_counts(normalize=True), "synthetic": synthetic["grade"].value_counts(normalize=True)}
)
print(shares)
assert (shares["real"] - shares["synthetic"]).abs().max() < 0.05
paid = pd.DataFrame(
    {
        name: t.groupby("grade", observed=True)["paid_back"].mean()
        for name, t in (("real", train), ("synthetic", synthetic))
    }
)
print(paid)
assert (paid["real"] - paid["synthetic"]).abs().max() < 0.1

# %% [markdown]
# `dtf.plot_pairs(train, synthetic)` draws the association of all pairs side by side, and `dtf.write_report` puts it on a
# page.
#
# A stricter test: a model fitted to the synthetic rows should say nearly as much about real rows that neither has seen as
# one fitted to the real rows. The difference is in nats per row; 0 would be perfect.

# %%
of_real = flow.score(test)
of_synthetic = dtf.DiscreteTreeFlow(bins={"amount": 10}, random_state=0).fit(synthetic).score(test)
print(f"ln P of new real rows: {of_real:.3f} by the real rows' model, {of_synthetic:.3f} by the synthetic rows'")

# %% [markdown]
# (Bins differ between the two fits, so compare such scores only where the cuts are the same.) The other way round: are
# synthetic rows as probable as real ones under the model? If they were much more probable, it would be sampling only what
# is common.

# %%
real_score, synthetic_score = flow.score(test), flow.score(synthetic)
print(f"mean ln P: real {real_score:.3f}, synthetic {synthetic_score:.3f} nats per row")
assert abs(real_score - synthetic_score) < 0.3

# %% [markdown]
# Privacy. Nothing here hides that a rare row was in the table. Count at least how many synthetic rows are copies, and
# compare it with how many of the held-out real rows are: if the sample has many more, the model has learnt rows by heart.

# %%


def texts(table):
    """Rows as tuples of texts, the amount in thousands."""
    return list(table.assign(amount=(table["amount"] / 1000).round()).astype(str).itertuples(index=False, name=None))


known = set(texts(train))
copies = {name: np.mean([row in known for row in texts(t)]) for name, t in (("real", test), ("synthetic", synthetic))}
print(f"rows that the table has, amounts in thousands: real {copies['real']:.1%}, synthetic {copies['synthetic']:.1%}")
assert copies["synthetic"] < copies["real"] + 0.1
