"""Makes helper bones follow in Blender, as their controllers in the glTF file say.

Import the .glb with Blender's own importer, select its armature, then run this script once: Scripting > Open > Run. Bones and shape
keys get drivers. Tick "Register" in the text editor, so that they work again when the .blend file is opened.
Lag and swing are in the baked clips only: a driver knows nothing of the frames before.
"""

import functools
import math

import bpy
from mathutils import Quaternion, Vector

DATA = {}

NAME = "sinew_follow"
"""Of the functions that drivers call, and of the armature's custom property: how its bones' axes lie to those of the file, found when drivers
are made. Unlike that of other rigs."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def log(rotation):
    """Half the angle along the axis, of the shorter way round."""
    if rotation.w < 0.0:
        rotation = -rotation
    vector = Vector((rotation.x, rotation.y, rotation.z))
    sine = vector.length
    return vector if sine < 1e-9 else vector * (math.atan2(sine, rotation.w) / sine)


def exp(vector):
    """The rotation of a logarithm."""
    half = vector.length
    share = 1.0 if half < 1e-9 else math.sin(half) / half
    return Quaternion((math.cos(half), *(vector * share))).normalized()


def input_slots():
    """For each driver the index of its first input."""
    first, slots = 0, []
    for driver in DATA["drivers"]:
        slots.append(first)
        first += len(driver["axes"])
    return slots, first


def functions(inputs):
    """All functions of the basis."""
    if "monomials" in DATA:
        return [1.0] + [math.prod(inputs[at] for at in product) for product in DATA["monomials"]]
    scales = DATA["radial"]["scales"]
    bells = [
        math.exp(-sum((s * x - c) ** 2 for s, x, c in zip(scales, inputs, center)))
        for center in DATA["radial"]["centers"]
    ]
    return [1.0, *inputs, *bells]


def asked_by(entry):
    """The drivers that an entry's functions need."""
    slots, count = input_slots()
    owners = [at for at, driver in enumerate(DATA["drivers"]) for _ in driver["axes"]]
    asked = set()
    for function in entry["functions"]:
        if function == 0:
            continue
        if "monomials" in DATA:
            asked.update(owners[at] for at in DATA["monomials"][function - 1])
        elif function <= count:
            asked.add(owners[function - 1])
        else:
            asked.update(range(len(slots)))
    return sorted(asked)


def values_for(entry, rotations):
    """Functions for turns of the asked drivers; those that are not asked do not count."""
    slots, count = input_slots()
    inputs = [0.0] * count
    for at, rotation in zip(asked_by(entry), rotations):
        turned = log(rotation)
        for axis, along in enumerate(DATA["drivers"][at]["axes"]):
            inputs[slots[at] + axis] = turned.dot(Vector(along))
    values = functions(inputs)
    return [values[function] for function in entry["functions"]]


def quaternion(xyzw):
    """From the file's order."""
    x, y, z, w = xyzw
    return Quaternion((w, x, y, z))


@functools.lru_cache(maxsize=256)
def channels(kind, index, scale, axes, components):
    """What a helper's channels, or a corrective's value, should be."""
    entry = DATA[kind][index]
    rotations = []
    for slot, at in enumerate(asked_by(entry)):
        driver = DATA["drivers"][at]
        change = Quaternion(axes[4 * slot : 4 * slot + 4])
        turn = Quaternion(components[4 * slot : 4 * slot + 4]).normalized()
        rotations.append(quaternion(driver["restFromBind"]) @ (change @ turn @ change.conjugated()))
    values = values_for(entry, rotations)
    if kind == "correctives":
        return (max(0.0, sum(value * factor for value, factor in zip(values, entry["coefficients"]))),)
    numbers = [sum(value * row[at] for value, row in zip(values, entry["coefficients"])) for at in range(7)]
    change = Quaternion(axes[-4:])
    location = change.conjugated() @ (Vector(numbers[:3]) * (entry["unit"] * scale))
    rotation = change.conjugated() @ exp(Vector(numbers[3:6])) @ change
    size = math.exp(numbers[6])
    return (*location, *rotation, size, size, size)


def follow(stored, kind, index, channel, *components):
    """Called by drivers."""
    own = DATA[kind][index]
    names = [DATA["drivers"][at]["name"] for at in asked_by(own)]
    if kind == "helpers":
        names.append(own["name"])
    axes = tuple(number for name in names for number in stored[name])
    return channels(kind, index, stored["scale"], axes, components)[channel]


def read_axes():
    """What was found when drivers were made; nothing before that."""
    armature = next((object for object in bpy.data.objects if NAME in object), None)
    if armature is None:
        return None
    stored = armature[NAME].to_dict()
    return {name: value if name == "scale" else tuple(value) for name, value in stored.items()}


def find_armature():
    """The armature that has all bones: the selected one, or the only one."""
    wanted = {entry["name"] for kind in ("drivers", "helpers") for entry in DATA[kind]}
    chosen = bpy.context.view_layer.objects.active
    objects = [chosen] if chosen and chosen.type == "ARMATURE" else list(bpy.data.objects)
    fitting = [object for object in objects if object.type == "ARMATURE" and wanted <= set(object.data.bones.keys())]
    if len(fitting) != 1:
        raise RuntimeError(
            f"{len(fitting)} armatures have the bones {sorted(wanted)}; import the file that this script was made from, "
            "and select its armature"
        )
    return fitting[0]


def find_axes(armature):
    """How each bone's axes lie to the file's, and how long the model's unit is in the armature."""
    up = Quaternion((1.0, 0.0, 0.0), math.radians(90.0))
    world = armature.matrix_world
    axes = {"scale": 1.0 / world.to_scale()[0]}
    for entry in (*DATA["drivers"], *DATA["helpers"]):
        bone = armature.data.bones[entry["name"]]
        stands = (world @ bone.matrix_local).to_quaternion()
        axes[entry["name"]] = list((up @ quaternion(entry["bind"])).conjugated() @ stands)
    return axes


def add_driver(owner, path, index, armature, kind, entry_index, channel):
    """One channel that calls `follow` with the turns of the bones that it asks."""
    arguments = (path,) if index is None else (path, index)
    owner.driver_remove(*arguments)
    driver = owner.driver_add(*arguments).driver
    driver.type = "SCRIPTED"
    names = []
    for slot, at in enumerate(asked_by(DATA[kind][entry_index])):
        for part, component in enumerate("WXYZ"):
            variable = driver.variables.new()
            variable.name = LETTERS[slot] + LETTERS[part]
            variable.type = "TRANSFORMS"
            target = variable.targets[0]
            target.id = armature
            target.bone_target = DATA["drivers"][at]["name"]
            target.transform_space = "LOCAL_SPACE"
            target.rotation_mode = "QUATERNION"
            target.transform_type = "ROT_" + component
            names.append(variable.name)
    call = ",".join((str(entry_index), str(channel), *names))
    driver.expression = f"{NAME}_{kind[0]}({call})"


def install():
    """Makes all drivers; again, if they are there already."""
    armature = find_armature()
    if NAME not in armature:
        armature[NAME] = find_axes(armature)
    register()
    for index, entry in enumerate(DATA["helpers"]):
        bone = armature.pose.bones[entry["name"]]
        bone.rotation_mode = "QUATERNION"
        paths = [("location", axis) for axis in range(3)] + [("rotation_quaternion", axis) for axis in range(4)]
        if any(row[6] != 0.0 for row in entry["coefficients"]):
            paths += [("scale", axis) for axis in range(3)]
        for channel, (path, axis) in enumerate(paths):
            add_driver(bone, path, axis, armature, "helpers", index, channel)
    for index, entry in enumerate(DATA["correctives"]):
        for block in shape_keys(armature, entry["morph"]):
            block.slider_max = 10.0
            add_driver(block, "value", None, armature, "correctives", index, 0)
    bpy.context.view_layer.update()


def shape_keys(armature, name):
    """The shape keys of that name on meshes that the armature moves."""
    for mesh in (object for object in bpy.data.objects if object.type == "MESH" and object.data.shape_keys):
        if any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in mesh.modifiers):
            if name in mesh.data.shape_keys.key_blocks:
                yield mesh.data.shape_keys.key_blocks[name]


def register():
    """Tells Blender what drivers call; needed again whenever a file is opened."""
    stored = read_axes()
    for kind in ("helpers", "correctives"):
        bpy.app.driver_namespace[f"{NAME}_{kind[0]}"] = functools.partial(follow, stored, kind)


if __name__ == "__main__":
    # A text that is registered runs when its file is opened: the drivers are there then, and only their functions are missing.
    if read_axes() is None:
        install()
    else:
        register()
