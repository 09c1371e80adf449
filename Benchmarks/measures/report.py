# SPDX-License-Identifier: Apache-2.0
"""Figures by line and subject, their ratios, and the table."""

import json
import statistics

# Below the 15 % by which two runs may differ: there are few repeats.
WOBBLE = 0.1


def spread(values):
    """How far values lie apart, as a share of their median."""
    middle = statistics.median(values)
    return (max(values) - min(values)) / abs(middle) if middle else float(max(values) != min(values))


class Line:
    """One measure: the figures of each subject, one for each repeat. Ours, or the first, is compared with the others."""

    def __init__(self, title, unit, bound=None):
        self.title, self.unit, self.bound, self.figures = title, unit, bound, {}

    def rows(self):
        """One row for each comparison, or one without."""
        (subject, values), *others = sorted(self.figures.items(), key=lambda item: not item[0].startswith("tintype"))
        for other, theirs in others or [(None, [])]:
            ratios = [ours / their for ours, their in zip(values, theirs) if their]
            row = {"measure": self.title, "unit": self.unit, "of": subject, "figures": values}
            row["median"] = statistics.median(values)
            if ratios:
                row |= {"beside": other, "theirFigures": theirs, "theirMedian": statistics.median(theirs)}
                row |= {"ratios": ratios, "ratio": statistics.median(ratios)}
            row["spread"] = spread(ratios or values)
            row["wobbles"] = row["spread"] > WOBBLE
            if self.bound is not None:
                row |= {"bound": self.bound, "isAboveBound": row.get("ratio", row["median"]) > self.bound}
            yield row


class Report:
    """All lines in the order in which they were first noted, and what was left out."""

    def __init__(self):
        self.lines, self.left_out, self.commands = {}, [], {}

    def note(self, title, unit, subject, value, bound=None):
        line = self.lines.setdefault(title, Line(title, unit, bound))
        line.figures.setdefault(subject, []).append(value)

    def leave_out(self, sentence):
        if sentence not in self.left_out:
            self.left_out.append(sentence)
            print(f"  {sentence}", flush=True)

    def rows(self):
        return [row for line in self.lines.values() for row in line.rows()]

    def markdown(self, facts):
        def number(value):
            return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"

        out = ["# make bench", *(f"- {key}: {value}" for key, value in facts.items()), "",
               "| measure | of | median | beside | median | ratio | repeats |",
               "| --- | --- | ---: | --- | ---: | ---: | --- |"]
        for row in self.rows():
            unit, has_ratio = row["unit"], "ratio" in row
            values = row["ratios"] if has_ratio else row["figures"]
            repeats = f"{number(min(values))} to {number(max(values))}" if len(values) > 1 else "one"
            if row["wobbles"]:
                repeats += f", wobbles by {row['spread']:.0%}"
            if "bound" in row:
                repeats += f"; {'ABOVE' if row['isAboveBound'] else 'bound'} {row['bound']:g}"
            theirs = f"{row['beside']} | {number(row['theirMedian'])} {unit} | {row['ratio']:.2f}" if has_ratio else "| |"
            out.append(f"| {row['measure']} | {row['of']} | {number(row['median'])} {unit} | {theirs} | {repeats} |")
        out += ["", "Commands:", *(f"- {name}: `{command}`" for name, command in self.commands.items())]
        if self.left_out:
            out += ["", "Left out, and remarks:", *(f"- {sentence}" for sentence in self.left_out)]
        return "\n".join(out) + "\n"

    def json(self, facts):
        whole = facts | {"lines": self.rows(), "commands": self.commands, "leftOut": self.left_out}
        return json.dumps(whole, indent=1) + "\n"
