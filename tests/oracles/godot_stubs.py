"""As much of Godot's types as the script of `sinew export controllers --for godot` uses, by Godot's documentation, and a way to run the script.

GDScript is close to Python. The script is turned into it line by line, as far as that script goes; this is not a translator of GDScript. Types of
variables are not checked, and numbers have 64 bits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any


class Vector3:
    """Three numbers."""

    ZERO: Vector3

    def __init__(self, x: float, y: float, z: float) -> None:
        self.x, self.y, self.z = x, y, z

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z))

    def __getitem__(self, axis: int) -> float:
        return (self.x, self.y, self.z)[axis]

    def __add__(self, other: Vector3) -> Vector3:
        return Vector3(*(a + b for a, b in zip(self, other, strict=True)))

    def __sub__(self, other: Vector3) -> Vector3:
        return self + other * -1.0

    def __mul__(self, other: Vector3 | float) -> Vector3:
        factors = other if isinstance(other, Vector3) else (other, other, other)
        return Vector3(*(a * b for a, b in zip(self, factors, strict=True)))

    def __truediv__(self, other: float) -> Vector3:
        return self * (1.0 / other)

    def dot(self, other: Vector3) -> float:
        """The sum of products."""
        return sum(a * b for a, b in zip(self, other, strict=True))

    def length_squared(self) -> float:
        """Of the length."""
        return self.dot(self)

    def length(self) -> float:
        """Of the arrow."""
        return math.sqrt(self.dot(self))


Vector3.ZERO = Vector3(0.0, 0.0, 0.0)


class Quaternion:
    """A rotation."""

    def __init__(self, x: float, y: float, z: float, w: float) -> None:
        self.x, self.y, self.z, self.w = x, y, z, w

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z, self.w))

    def __neg__(self) -> Quaternion:
        return Quaternion(*(-part for part in self))

    def inverse(self) -> Quaternion:
        """Back."""
        return Quaternion(-self.x, -self.y, -self.z, self.w)

    def normalized(self) -> Quaternion:
        """Of length 1."""
        length = math.sqrt(sum(part * part for part in self))
        return Quaternion(*(part / length for part in self))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector3):
            turned = self * Quaternion(*other, 0.0) * self.inverse()
            return Vector3(turned.x, turned.y, turned.z)
        return Quaternion(
            self.w * other.x + self.x * other.w + self.y * other.z - self.z * other.y,
            self.w * other.y - self.x * other.z + self.y * other.w + self.z * other.x,
            self.w * other.z + self.x * other.y - self.y * other.x + self.z * other.w,
            self.w * other.w - self.x * other.x - self.y * other.y - self.z * other.z,
        )


class Packed(list[Any]):
    """Any array."""

    def size(self) -> int:
        """Number of elements."""
        return len(self)

    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self

    def has(self, element: Any) -> bool:
        """Whether it is in there."""
        return element in self

    def append_array(self, other: Iterable[Any]) -> None:
        """Adds all."""
        self.extend(other)

    def resize(self, size: int) -> None:
        """New elements are not anything that a script may use."""
        self[:] = self[:size] + [math.nan] * (size - len(self))

    def fill(self, element: Any) -> None:
        """All alike."""
        self[:] = [element] * len(self)


class Dictionary(dict[str, Any]):
    """A dictionary."""

    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return not self


class Transform3D:
    """A rotation and a place; its own basis too."""

    def __init__(self, turn: Quaternion, place: Vector3) -> None:
        self.turn, self.place = turn, place

    @property
    def basis(self) -> Transform3D:
        """Of the rotation."""
        return self

    def get_rotation_quaternion(self) -> Quaternion:
        """Of the basis."""
        return self.turn

    def __mul__(self, other: Vector3) -> Vector3:
        return self.place + self.turn * other


class MeshInstance3D:
    """Weights of blend shapes."""

    def __init__(self, shapes: list[str]) -> None:
        self.weights = dict.fromkeys(shapes, 0.0)

    def find_blend_shape_by_name(self, name: str) -> int:
        """-1 if there is none."""
        return list(self.weights).index(name) if name in self.weights else -1

    def set_blend_shape_value(self, shape: int, value: float) -> None:
        """By index."""
        self.weights[list(self.weights)[shape]] = value


class Skeleton3D:
    """Bones without a hierarchy, and one mesh. `seconds`: how long a frame takes."""

    name = "Skeleton3D"
    seconds = 0.0

    def __init__(self, bones: list[str], shapes: list[str]) -> None:
        self.bones = bones
        self.global_transform = Transform3D(Quaternion(0.0, 0.0, 0.0, 1.0), Vector3.ZERO)
        self.turns: dict[str, Quaternion] = {}
        self.places: dict[str, Vector3] = {}
        self.sizes: dict[str, Vector3] = {}
        self.mesh = MeshInstance3D(shapes)

    def get_version(self) -> int:
        """Never changes."""
        return 1

    def find_bone(self, name: str) -> int:
        """-1 if there is none."""
        return self.bones.index(name) if name in self.bones else -1

    def get_bone_parent(self, _bone: int) -> int:
        """None has one."""
        return -1

    def find_children(self, *_arguments: Any) -> Packed:
        """The mesh."""
        return Packed([self.mesh])

    def get_bone_pose_rotation(self, bone: int) -> Quaternion:
        """As it was set."""
        return self.turns[self.bones[bone]]

    def set_bone_pose_rotation(self, bone: int, turn: Quaternion) -> None:
        """By index."""
        self.turns[self.bones[bone]] = turn

    def set_bone_pose_position(self, bone: int, place: Vector3) -> None:
        """By index."""
        self.places[self.bones[bone]] = place

    def set_bone_pose_scale(self, bone: int, size: Vector3) -> None:
        """By index."""
        self.sizes[self.bones[bone]] = size


def packed(value: Any) -> Any:
    """Lists and dictionaries with Godot's methods."""
    if isinstance(value, dict):
        return Dictionary({key: packed(entry) for key, entry in value.items()})
    return Packed(map(packed, value)) if isinstance(value, list) else value


def program(script: str, skeleton: Skeleton3D) -> dict[str, Any]:
    """The script's functions and variables; `errors` has what it reported."""
    members = re.findall(r"^(?:@export )?var (\w+)", script, re.MULTILINE)
    text = re.sub(r"^extends .*$|^@export ", "", script, flags=re.MULTILINE)
    text = re.sub(r"^const DATA = (\{.*?^\})", r"DATA = packed(\1)", text, flags=re.MULTILINE | re.DOTALL)
    text = text.replace(", {})", ", Dictionary())").replace("] = []", "] = Array()")
    text = re.sub(r"\bvar (\w+)\s*(?::[^=\n]*)?=", r"\1 =", text)
    text = re.sub(r"\bfor (\w+)(?:: \w+)? in (.+):$", r"for \1 in each(\2):", text, flags=re.MULTILINE)
    text = re.sub(r"^func (\w+)\((.*?)\) -> \w+:$", rf"def \1(\2):\n\tglobal {', '.join([*members, 'active'])}", text, flags=re.MULTILINE)
    text = re.sub(r'(push_\w+\(".*?" )% \[(.*)\]\)$', r"\1% (\2))", text, flags=re.MULTILINE)
    errors: list[str] = []
    arrays = dict.fromkeys(("Array", "PackedInt32Array", "PackedFloat64Array", "PackedVector3Array"), Packed)
    functions = {name: getattr(math, name) for name in ("atan2", "cos", "cosh", "exp", "sin", "sinh", "sqrt")}
    scope: dict[str, Any] = {
        **arrays,
        **functions,
        **{"Quaternion": Quaternion, "Vector3": Vector3, "Skeleton3D": Skeleton3D, "MeshInstance3D": MeshInstance3D, "Dictionary": Dictionary},
        **{"packed": packed, "each": lambda what: range(what) if isinstance(what, int) else what},
        **{"absf": abs, "maxf": max, "minf": min, "mini": min, "TAU": math.tau, "true": True, "false": False, "null": None},
        **{"name": "modifier", "active": True, "errors": errors, "push_error": errors.append, "push_warning": errors.append},
        **{"get_skeleton": lambda: skeleton, "get_process_delta_time": lambda: skeleton.seconds},
    }
    exec(compile("from __future__ import annotations\n" + text, "script", "exec"), scope)  # noqa: S102: our own script
    return scope
