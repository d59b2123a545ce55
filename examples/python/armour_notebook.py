# %% [markdown]
# # How much armour does Jack need?
# Jack fights one drone with the armour on his sheet and with less or more of it. Open this file as a notebook with
# jupytext, or run it as it is: without matplotlib the last cell prints bars.

# %%
import crisis_cli as crisis

ARMOUR = range(5)
library = crisis.Library(".")  # the sheets in reach of this folder, and those that come with crisis

# %% [markdown]
# `override` replaces values of sheets, as `--set` does on the command line; no file is changed. First the exact
# chances of a single attack: no dice are rolled for them.

# %%
harm = []
for points in ARMOUR:
    attack = library.chances("attack", "drone", "jack", override={"jack.armour.dr": points})
    harm.append(-attack.effects["Jack"]["endurance"].mean)  # effects are changes: harm is negative
    print(f"armour {points}: hit {attack.success:.1%}, {harm[-1]:.2f} Endurance an attack")

# %% [markdown]
# Then whole fights. With a seed every run gives the same numbers.

# %%
shares = []
for points in ARMOUR:
    fights = library.simulate("jack", vs="drone", fights=400, seed=1, override={"jack.armour.dr": points})
    shares.append(fights.wins()["players"])  # the share, and its 95 % interval

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    for points, share in zip(ARMOUR, shares, strict=True):
        print(
            f"armour {points} {'█' * round(40 * share.p)} {share.p:.0%} ({share.low:.0%} to {share.high:.0%})"
        )
else:
    below = [share.p - share.low for share in shares]
    above = [share.high - share.p for share in shares]
    plt.errorbar(ARMOUR, [share.p for share in shares], yerr=[below, above], marker="o", capsize=3)
    plt.xlabel("armour of Jack")
    plt.ylabel("chance to win")
    plt.ylim(0, 1)
    plt.show()
