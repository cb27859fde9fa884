"""The tables of docs/meshing.md, from the rows of bench/mesh-campaign: each replaces the text between its two marks."""

import os
import re

ANGLES = (10.7, 164.8)  # [degrees] Labelle and Shewchuk 2007, table 1, the uniform variant


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def thousands(count):
    return "{:,}".format(count) if isinstance(count, int) else str(count or "")


def share(part):
    return "0" if part == 0 else "%.1g %%" % (100 * part) if part < 0.0095 else "%.0f %%" % (100 * part)


def distance(row, way):
    return "%.2f (%s)" % (row[way + "_max"], share(row[way + "_share"])) if way + "_max" in row else ""


def angles(row):
    return "%.1f to %.1f" % (row["least_angle"], row["largest_angle"])


def percent(row):
    return "%+.2f" % row["volume_error_percent"] if "volume_error_percent" in row else ""


def sound(row):
    """Whether no tet is inverted or duplicate, no vertex unused, no face crowded and no edge open."""
    return not any(row[key] for key in ("inverted", "duplicates", "unused", "crowded_faces", "open_edges"))


def against(row, mine, theirs):
    return "%d" % row[mine] if row[mine] == row[theirs] else "**%d** / %d" % (row[mine], row[theirs])


def from_tets(row, key, why=""):
    found = row.get(key, "")
    if isinstance(found, int):
        return thousands(found)
    return found + "; " + why if why else found


def why_not(row):
    """Why no mesh, or only a very fine one, can preserve the surface's topology."""
    if row["crossing_pairs"]:
        return "%s pairs of its triangles cross" % thousands(row["crossing_pairs"])
    return "its thinnest wall is %.2g %%, its narrowest gap %.2g %% of its length" % (
        100 * row["thinnest_wall"], 100 * row["narrowest_gap"])


def beside(row):
    if row is None:
        return ""
    if "tets" not in row:
        return row["message"].split(";")[0].replace("error: ", "").replace("tetgen: ", "").replace("|", "/")
    return "%.1f s, %s tets, %s" % (row["seconds"], thousands(row["tets"]), angles(row))


def closed_table(rows):
    others = {row["model"]: row for row in rows if row["kind"] == "closed" and row["mesher"] == "tetgen"}
    return table(["model", "triangles", "tets", "time [s]", "memory [MB]", "angles [°]", "volume [%]", "off [cells]",
                  "missed [cells]", "components", "Euler", "both as the input from", "volume within 1 % from", "TetGen"],
                 [[row["model"], thousands(row["triangles"]), thousands(row["tets"]), "%.2f" % row["seconds"],
                   "%.0f" % row["peak_mb"], angles(row), percent(row), distance(row, "out"), distance(row, "in"),
                   against(row, "boundary_components", "input_components"), against(row, "euler", "input_euler"),
                   from_tets(row, "tets_of_equal_euler", why_not(row)), from_tets(row, "tets_of_volume"), beside(others.get(row["model"]))]
                  if "tets" in row else [row["model"], thousands(row["triangles"]), row["message"], *11 * [""]]
                  for row in rows if row["kind"] == "closed" and row["mesher"] == "stuffing"])


def shape_table(rows):
    return table(["shape", "tets", "time [s]", "memory [MB]", "angles [°]", "volume [%]", "off [cells]", "missed [cells]",
                  "components", "Euler"],
                 [[row["model"], thousands(row["tets"]), "%.2f" % row["seconds"], "%.0f" % row["peak_mb"], angles(row),
                   percent(row), distance(row, "out"), distance(row, "in"),
                   against(row, "boundary_components", "input_components"), against(row, "euler", "input_euler")]
                  for row in rows if row["kind"] == "shape"])


def broken_table(rows, faults):
    return table(["model", "what is wrong", "triangles", "tets", "time [s]", "angles [°]", "volume [%]", "components",
                  "in the largest", "open edges", "usable"],
                 [[row["model"], faults[row["model"]], thousands(row["triangles"]), thousands(row["tets"]),
                   "%.2f" % row["seconds"], angles(row), percent(row), "%d" % row["components"],
                   share(row["largest_share"]), "%d" % row["open_edges"], "yes" if usable(row) else "**no**"]
                  if "tets" in row else [row["model"], faults[row["model"]], thousands(row["triangles"]),
                                         row["message"].replace("|", "/"), *6 * [""], "**no**"]
                  for row in rows if row["kind"] == "broken"])


def usable(row):
    return ("tets" in row and sound(row) and row["largest_share"] > 0.95 and row["least_angle"] >= ANGLES[0]
            and row["largest_angle"] <= ANGLES[1] and abs(row.get("volume_error_percent", 0)) <= 5)


def sharp_table(rows):
    plain = {row["model"]: row for row in rows if row["kind"] == "closed" and row["mesher"] == "stuffing"}
    return table(["model", "off [cells]", "with", "missed [cells]", "with", "volume [%]", "with", "angles [°]", "with"],
                 [[row["model"], *(form(which) for form in (lambda r: distance(r, "out"), lambda r: distance(r, "in"),
                                                            percent, angles) for which in (plain[row["model"]], row))]
                  for row in rows if row["mesher"] == "--sharp-edges" and "tets" in row])


def options_table(rows):
    return table(["options", "tets", "time [s]", "angles [°]", "mean of least angles [°]", "volume [%]", "off [cells]"],
                 [["`%s`" % row["mesher"], thousands(row["tets"]), "%.2f" % row["seconds"], angles(row),
                   "%.1f" % row["mean_least_angle"], percent(row), distance(row, "out")]
                  for row in rows if row["kind"] == "options" and "tets" in row])


def speed_table(rows):
    return table(["tets", "time [s]", "of which", "memory [MB]"],
                 [[thousands(row["tets"]), "%.1f" % row["seconds"], row["stages"], "%.0f" % row["peak_mb"]]
                  for row in rows if row["kind"] == "speed" and "tets" in row])


def verdicts(rows):
    """Requirements and measurements side by side, over closed surfaces and shapes meshed without options."""
    ours = [row for row in rows if row["mesher"] == "stuffing" and row["kind"] in ("closed", "shape") and "tets" in row]
    real = [row for row in ours if row["kind"] == "closed"]
    broken = [row for row in rows if row["kind"] == "broken"]
    every = ours + [row for row in broken if "tets" in row]

    def count(those, holds):
        missed = [row["model"] for row in those if not holds(row)]
        return "%d of %d" % (len(those) - len(missed), len(those)) + (
            "; not " + ", ".join(missed) if 0 < len(missed) <= 12 else "")

    def reached(key):
        return lambda row: isinstance(row.get(key), int)

    def worst(those, key):
        return max(abs(row[key]) for row in those if key in row)

    least, largest = min(row["least_angle"] for row in every), max(row["largest_angle"] for row in every)
    return table(["asked", "measured", "holds for"], [
        ["angles within %.1f and %.1f degrees" % ANGLES, "%.1f to %.1f" % (least, largest),
         count(every, lambda row: row["least_angle"] >= ANGLES[0] and row["largest_angle"] <= ANGLES[1])],
        ["no inverted, duplicate or unused, no open edge", "", count(every, sound)],
        ["volume within 1 %", "at most %.2f %%" % worst(real, "volume_error_percent"),
         count(real, lambda row: abs(row["volume_error_percent"]) <= 1)],
        ["the same, at fine enough cells", "", count(real, reached("tets_of_volume"))],
        ["vertices of the boundary within a quarter cell of the surface", "at most %.3f" % worst(real, "vertex_out_max"),
         count(real, lambda row: row["vertex_out_max"] <= 0.25)],
        ["centroids of its faces too", "at most %.2f" % worst(real, "out_max"), count(real, lambda row: row["out_max"] <= 0.25)],
        ["99 % of them", "at most %s farther" % share(max(row["out_share"] for row in real)),
         count(real, lambda row: row["out_share"] <= 0.01)],
        ["the surface within a quarter cell of the boundary", "at most %.2f" % worst(real, "in_max"),
         count(real, lambda row: row["in_max"] <= 0.25)],
        ["99 % of it", "at most %s farther" % share(max(row["in_share"] for row in real)),
         count(real, lambda row: row["in_share"] <= 0.01)],
        ["as many components and the same Euler characteristic, at these sizes", "",
         count(real, lambda row: row["tets_of_equal_euler"] == row["tets"])],
        ["the same, at fine enough cells, of those that do not cut themselves", "",
         count([row for row in real if row["crossing_pairs"] == 0], reached("tets_of_equal_euler"))],
        ["broken surfaces usable", "", count(broken, usable)]])


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


def write_page(path, rows, stamp):
    from mesh_models import BROKEN
    parts = {"verdicts": lambda: verdicts(rows), "closed": lambda: closed_table(rows), "shapes": lambda: shape_table(rows),
             "broken": lambda: broken_table(rows, {name: model.fault for name, model in BROKEN.items()}),
             "sharp": lambda: sharp_table(rows), "options": lambda: options_table(rows), "speed": lambda: speed_table(rows),
             "stamp": lambda: "%s, %d threads, %s, commit %s." % (processor(), os.cpu_count(), stamp["date"], stamp["commit"])}
    with open(path) as file:
        page = file.read()
    for name, make in parts.items():
        marks = re.compile(r"(<!-- campaign: %s -->\n).*?(<!-- end -->)" % name, re.S)
        if not marks.search(page):
            raise SystemExit("bench/mesh-campaign: %s has no mark <!-- campaign: %s -->" % (path, name))
        page = marks.sub(lambda match: match.group(1) + make() + "\n" + match.group(2), page)
    with open(path, "w") as file:
        file.write(page)
