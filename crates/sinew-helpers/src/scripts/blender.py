"""Makes helper bones follow in Blender, as their controllers in the glTF file say.

Import the .glb with Blender's own importer, select its armature, then run this script once: Scripting > Open > Run. Bones and shape keys
get drivers. All are simple expressions, which Blender evaluates without Python: they work with Auto Run Python Scripts off, and the saved
.blend file no longer needs this script. Running it again replaces the drivers.
Lag and swing are in the baked clips only: a driver knows nothing of the frames before.
"""

import math

import bpy
from mathutils import Quaternion, Vector

DATA = {}

NAME = "sinew"
"""The armature's custom property with the axes of its bones, found when drivers are first made. NAME_x and so on hold numbers that drivers
hand on to each other."""

LONGEST = 255
"""Characters in an expression; Blender cuts the rest off."""

STEPS = "wxdbstr"
"""Arrays of numbers that are handed on, each made from those before it: cosines, inputs, squared distances, bells, sums, sums of sums,
log-quaternions. Blender orders drivers by whole arrays."""

MOST_PARTS = 40
"""Variables that a sum of nothing else can have within LONGEST, and to spare."""

SAME_TURN = 5e-7
"""Largest difference between two equal rotations in 32 bits."""


def short(name):
    """As Blender's importer names bones and shape keys: 63 bytes."""
    return name.encode()[:63].decode(errors="ignore")


def quaternion(xyzw):
    """From the file's order."""
    x, y, z, w = xyzw
    return Quaternion((w, x, y, z))


def number(value, decimals):
    """As short as it goes."""
    fixed = f"{value:.{decimals}f}"
    fixed = fixed.rstrip("0").rstrip(".") if "." in fixed else fixed
    short_fixed = fixed.replace("0.", ".", 1) if abs(value) < 1.0 else fixed
    exponent = f"{value:.7g}"
    return min("0" if short_fixed in ("", "-", "-0") else short_fixed, exponent, key=len)


def decimals_for(values):
    """So many that a sum is as exact as 32 bits: seven digits of the largest number."""
    largest = max(map(abs, values), default=0.0)
    return 7 if largest == 0.0 else min(max(0, 6 - math.floor(math.log10(largest))), 30)


def name_of(index):
    """Of a variable: a to z, then a1, b1 ..., none of which is a word of the language."""
    return chr(ord("a") + index % 26) + (str(index // 26) if index >= 26 else "")


def sum_text(terms, names, decimals):
    """A sum of products as text, with common factors taken out. A term is a factor and a tuple of variables."""
    groups = {}
    for factor, product in terms:
        groups.setdefault(product[:1], []).append((factor, product[1:]))
    texts = []
    for first, rest in groups.items():
        if not first or len(rest) == 1:
            for factor, product in rest:
                factors = [names[variable] for variable in first + product]
                texts.append("*".join(factors if factor == 1.0 and factors else [number(factor, decimals), *factors]))
        else:
            texts.append(f"{names[first[0]]}*({sum_text(rest, names, decimals)})")
    return "+".join(texts or ["0"]).replace("+-", "-")


def expression(terms, form="{}", decimals=None, **others):
    """A text and its variables. `form`: what is done with the sum, and with other variables by name. `decimals`: of factors."""
    decimals = decimals_for([factor for factor, _ in terms]) if decimals is None else decimals
    variables = list(dict.fromkeys([*(variable for _, product in terms for variable in product), *others.values()]))
    names = {variable: name_of(index) for index, variable in enumerate(variables)}
    named = {name: names[variable] for name, variable in others.items()}
    return form.format(sum_text(terms, names, decimals), **named), variables


class Rig:
    """An armature, and the expressions of all numbers that are handed on. A variable is an array of STEPS and an index, or a component of a
    bone's rotation and the bone."""

    def __init__(self, armature):
        self.armature = armature
        self.axes = armature[NAME].to_dict() if NAME in armature else {}
        if not self.axes.keys() >= bone_names():
            self.axes = find_axes(armature)
            armature[NAME] = self.axes
        self.arrays = {step: [] for step in STEPS}
        self.kept = {}
        self.inputs = [(driver, along) for driver in DATA["drivers"] for along in driver["axes"]]

    def keep(self, step, made):
        """The variable for an expression's value."""
        key = (step, made[0], tuple(made[1]))
        if key not in self.kept:
            self.kept[key] = (step, len(self.arrays[step]))
            self.arrays[step].append(made)
        return self.kept[key]

    def input(self, index):
        """A driver's log-quaternion along an axis: v acos(w) / sqrt(1 - w w), the shorter way round. Smooth at rest, where w is 1."""
        driver, along = self.inputs[index]
        change, bound = Quaternion(self.axes[short(driver["name"])]), quaternion(driver["restFromBind"])
        units = [Quaternion([float(row == column) for column in range(4)]) for row in range(4)]
        turns = [bound @ (change @ unit @ change.conjugated()) for unit in units]
        parts = [((component, driver["name"]),) for component in "WXYZ"]
        cosine, sine = parts[0][0], [Vector(turn[1:]).dot(Vector(along)) for turn in turns]
        if any(abs(turn.w - float(at == 0)) > SAME_TURN for at, turn in enumerate(turns)):
            cosine = self.keep("w", expression([(turn.w, part) for turn, part in zip(turns, parts)]))
        terms = [(factor, part) for factor, part in zip(sine, parts) if abs(factor) > SAME_TURN]
        form = "({})*(-1 if {w}<0 else 1)*acos(min(abs({w}),.999999999))/sqrt(1-pow(min(abs({w}),.999999999),2))"
        return self.keep("x", expression(terms, form, w=cosine))

    def bell(self, center):
        """A radial function. Its squares are added in parts that fit into an expression each."""
        parts = [
            (self.input(index), f"pow({number(scale, 8)}*{{}}-{number(at, 8)},2)".replace("--", "+"))
            for index, (scale, at) in enumerate(zip(DATA["radial"]["scales"], center))
        ]
        sums = []
        for first in range(0, len(parts), 6):
            some = parts[first : first + 6]
            text = "+".join(square.format(name_of(slot)) for slot, (_, square) in enumerate(some))
            sums.append((1.0, (self.keep("d", (text, [variable for variable, _ in some])),)))
        return self.keep("b", expression(sums, "exp(-({}))"))

    def function(self, index):
        """The variables whose product is a function of the basis; none for the constant."""
        if index == 0:
            return ()
        if "monomials" in DATA:
            return tuple(self.input(at) for at in DATA["monomials"][index - 1])
        if index <= len(self.inputs):
            return (self.input(index - 1),)
        return (self.bell(DATA["radial"]["centers"][index - 1 - len(self.inputs)]),)

    def sum(self, functions, factors, form="{}"):
        """A weighted sum of functions. What does not fit into one expression is handed on by others."""
        terms = [(factor, self.function(at)) for at, factor in zip(functions, factors) if factor != 0.0]
        decimals = decimals_for([factor for factor, _ in terms])
        terms = [(factor, product) for factor, product in terms if number(factor, decimals) != "0"]
        made = expression(terms, form, decimals)
        if len(made[0]) <= LONGEST:
            return made
        runs = [[]]
        for term in terms:
            if len(expression([*runs[-1], term], "{}", decimals)[0]) > LONGEST:
                runs.append([])
            runs[-1].append(term)
        made = expression([*self.parts("s", runs[:-1], decimals), *runs[-1]], form, decimals)
        if len(made[0]) <= LONGEST:
            return made
        parts = self.parts("s", runs, decimals)
        if len(parts) > MOST_PARTS:
            parts = self.parts("t", [parts[at : at + MOST_PARTS] for at in range(0, len(parts), MOST_PARTS)], decimals)
        return expression(parts, form)

    def parts(self, step, runs, decimals):
        """Terms that stand for sums of others."""
        return [(1.0, (self.keep(step, expression(run, "{}", decimals)),)) for run in runs]

    def install(self):
        """Makes all drivers."""
        remove_drivers(self.armature)
        for entry in DATA["helpers"]:
            self.install_helper(entry)
        missing = []
        for entry in DATA["correctives"]:
            blocks = shape_keys(self.armature, short(entry["morph"]))
            missing += [] if blocks else [entry["morph"]]
            for block in blocks:
                block.slider_max = 10.0
                self.drive(block, "value", -1, self.sum(entry["functions"], entry["coefficients"], "max(0,{})"))
        for step, made in self.arrays.items():
            path = f"{NAME}_{step}"
            if path in self.armature:
                del self.armature[path]
            if made:
                self.armature[path] = [0.0] * len(made)
            for index, each in enumerate(made):
                self.drive(self.armature, f'["{path}"]', index, each)
        if missing:
            raise RuntimeError(f"bones follow, but no mesh of {self.armature.name} has the shape keys {missing}")

    def install_helper(self, entry):
        """All channels of a bone. Numbers are turned from the file's axes into the bone's, and shifts into its unit, by their coefficients."""
        bone = self.armature.pose.bones[short(entry["name"])]
        bone.rotation_mode = "QUATERNION"
        back = Quaternion(self.axes[short(entry["name"])]).conjugated()
        unit = entry["unit"] * self.axes["scale"]
        shifts = [back @ Vector(row[:3]) * unit for row in entry["coefficients"]]
        turns = [back @ Vector(row[3:6]) for row in entry["coefficients"]]
        growth = [row[6] for row in entry["coefficients"]]
        functions = entry["functions"]
        for axis in range(3):
            self.drive(bone, "location", axis, self.sum(functions, [shift[axis] for shift in shifts]))
        logs = [self.keep("r", self.sum(functions, [turn[axis] for turn in turns])) for axis in range(3)]
        squares = [(1.0, (log, log)) for log in logs]
        self.drive(bone, "rotation_quaternion", 0, expression(squares, "cos(sqrt({}))"))
        for axis, log in enumerate(logs):
            form = "{own}*sin(sqrt({}+1e-30))/sqrt({}+1e-30)"
            self.drive(bone, "rotation_quaternion", 1 + axis, expression(squares, form.replace("{}", "{0}"), own=log))
        if any(growth):
            for axis in range(3):
                self.drive(bone, "scale", axis, self.sum(functions, growth, "exp({})"))

    def drive(self, owner, path, index, made):
        """Gives a property its driver."""
        text, variables = made
        curve = owner.driver_add(path, index) if index >= 0 else owner.driver_add(path)
        # The line through two keys that a new driver gets would take numbers within 1e-4 of a key, as those near rest, for that key.
        while len(curve.keyframe_points) > 0:
            curve.keyframe_points.remove(curve.keyframe_points[0])
        curve.driver.type = "SCRIPTED"
        for slot, (kind, which) in enumerate(variables):
            variable = curve.driver.variables.new()
            variable.name = name_of(slot)
            target = variable.targets[0]
            if kind in STEPS:
                target.id = self.armature
                target.data_path = f'["{NAME}_{kind}"][{which}]'
            else:
                variable.type = "TRANSFORMS"
                target.id = self.armature
                target.bone_target = short(which)
                target.transform_space = "LOCAL_SPACE"
                target.rotation_mode = "QUATERNION"
                target.transform_type = "ROT_" + kind
        curve.driver.expression = text
        if curve.driver.expression != text or not curve.driver.is_simple_expression:
            raise RuntimeError(f"{path}: not a simple expression of at most {LONGEST} characters: {text}")


def bone_names():
    """Of all drivers and helpers."""
    return {short(entry["name"]) for kind in ("drivers", "helpers") for entry in DATA[kind]}


def find_armature():
    """The armature that has all bones: the selected one, or the only one."""
    wanted = bone_names()
    chosen = bpy.context.view_layer.objects.active
    objects = [chosen] if chosen and chosen.type == "ARMATURE" else list(bpy.data.objects)
    armatures = [object for object in objects if object.type == "ARMATURE"]
    missing = [sorted(wanted - set(armature.data.bones.keys())) for armature in armatures]
    fitting = [armature for armature, names in zip(armatures, missing) if not names]
    if len(armatures) == 1 and not fitting:
        raise RuntimeError(f"{armatures[0].name} has no bone {', '.join(missing[0])}; import the file that this script was made from")
    if len(fitting) != 1:
        raise RuntimeError(
            f"{len(fitting)} of {len(armatures)} armatures have all bones; import the file that this script was made from, "
            "and select its armature"
        )
    return fitting[0]


def find_axes(armature):
    """How each bone's axes lie to the file's, and how long the model's unit is in the armature."""
    up = Quaternion((1.0, 0.0, 0.0), math.radians(90.0))
    world = armature.matrix_world
    axes = {"scale": 1.0 / world.to_scale()[0]}
    for entry in (*DATA["drivers"], *DATA["helpers"]):
        bone = armature.data.bones[short(entry["name"])]
        stands = (world @ bone.matrix_local).to_quaternion()
        axes[short(entry["name"])] = list((up @ quaternion(entry["bind"])).conjugated() @ stands)
    return axes


def remove_drivers(armature):
    """Those that this script made before."""
    mine = f'["{NAME}_'
    for block in [armature, *(mesh.data.shape_keys for mesh in moved_meshes(armature))]:
        for curve in list(block.animation_data.drivers) if block.animation_data else []:
            paths = [target.data_path for variable in curve.driver.variables for target in variable.targets]
            if any(path.startswith(mine) for path in [curve.data_path, *paths]):
                block.animation_data.drivers.remove(curve)


def moved_meshes(armature):
    """Objects with shape keys that the armature moves."""
    for mesh in (object for object in bpy.data.objects if object.type == "MESH" and object.data.shape_keys):
        if any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in mesh.modifiers):
            yield mesh


def shape_keys(armature, name):
    """The shape keys of that name on meshes that the armature moves."""
    blocks = (mesh.data.shape_keys.key_blocks for mesh in moved_meshes(armature))
    return [keys[name] for keys in blocks if name in keys]


if __name__ == "__main__":
    Rig(find_armature()).install()
    bpy.context.view_layer.update()
