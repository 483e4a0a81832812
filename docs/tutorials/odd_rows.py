# %% [markdown]
# # Density and odd rows
#
# A density model tells how probable each row of a table is. Rows of a low probability are worth a look: errors of typing,
# cells that contradict each other, fraud, rare cases. Nobody has to say beforehand what an error looks like.
#
# This is a script in jupytext's percent format: run it, or open it as a notebook.

# %%
import numpy as np
import pandas as pd

import dtf

# %% [markdown]
# The table: 3,000 answers to a survey, in which the columns hang together. It is generated here; take yours instead.

# %%
random = np.random.default_rng(7)
rows = 3000
age = random.choice(["under 15", "15 to 24", "25 to 64", "65 and over"], rows, p=[0.15, 0.15, 0.5, 0.2])
likely_work = {"under 15": "pupil", "15 to 24": "student", "25 to 64": "employed", "65 and over": "retired"}
work = np.array([likely_work[a] for a in age], object)
other = (random.random(rows) < 0.3) & (age != "under 15")
work[other] = random.choice(["employed", "student", "seeking work"], other.sum())
licence = np.where((age == "under 15") | (random.random(rows) < 0.2), "no", "yes")
car = np.where((licence == "yes") & (random.random(rows) < 0.7), "yes", "no")
survey = pd.DataFrame({"age": age, "work": work, "licence": licence, "car": car})

# %% [markdown]
# Ten rows get a contradiction. Each of their values is a common one; only together they are odd, so that looking at one
# column after the other finds none of them.

# %%
children, drivers = np.flatnonzero(age == "under 15"), np.flatnonzero((age == "25 to 64") & (car == "yes"))
odd = np.concatenate([random.choice(children, 5, replace=False), random.choice(drivers, 5, replace=False)])
survey.loc[odd[:5], "work"] = "retired"
survey.loc[odd[5:], "licence"] = "no"

# %% [markdown]
# Fitting needs no options. `score_samples` gives ln P of each row, in nats (natural logarithms): the lower, the odder.

# %%
flow = dtf.DiscreteTreeFlow(random_state=0).fit(survey)
nats = flow.score_samples(survey)
print(f"mean ln P: {nats.mean():.3f} nats per row")
oddest = np.argsort(nats)[:10]
print(survey.loc[oddest].assign(ln_p=nats[oddest]))
assert len(set(oddest) & set(odd)) >= 9

# %% [markdown]
# These are probabilities, not just ranks: over all rows that there can be they sum to 1, less the little mass that is kept
# for values never seen (none in a model with `closed=True`).

# %%
possible = pd.MultiIndex.from_product([survey[name].unique() for name in survey], names=survey.columns).to_frame(False)
total = np.exp(dtf.DiscreteTreeFlow(closed=True).fit(survey).score_samples(possible)).sum()
print(f"sum of all {len(possible)} probabilities: {total:.12f}")
assert abs(total - 1) < 1e-9

# %% [markdown]
# Which cell makes a row odd? Try the other values: the one that raises ln P most is what the model would have expected.

# %%
row = survey.loc[[oddest[0]]]
for name in survey:
    changed = pd.concat([row.assign(**{name: text}) for text in survey[name].unique()])
    scores = flow.score_samples(changed)
    best = changed[name].iloc[scores.argmax()]
    print(f"{name} = {row[name].item()!r}: best {best!r}, gain {scores.max() - nats[oddest[0]]:.2f} nats")

# %% [markdown]
# A report has this for the oddest rows, and much else, on one page. `dtf report` of the command line writes the same.

# %%
dtf.write_report(flow, survey, "survey.html", title="survey")
