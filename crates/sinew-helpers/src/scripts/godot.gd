extends SkeletonModifier3D
## Makes helper bones follow in Godot 4.3 or newer, as their controllers in the glTF file say.
##
## Add a node with this script below the Skeleton3D of the imported model. It works after
## animations, so that helpers follow every pose; baked tracks of helpers are not needed then.
## Correctives are blend shapes of the meshes below the skeleton.

const DATA = {}

## Whether helpers lag and swing, where the file says how.
@export var follow_through := true

var _inputs := PackedFloat64Array()
var _values := PackedFloat64Array()
var _swings := {}


func _process_modification() -> void:
	var skeleton := get_skeleton()
	if skeleton == null:
		return
	_read_inputs(skeleton)
	_find_values()
	var seconds := get_process_delta_time()
	for helper: Dictionary in DATA["helpers"]:
		var bone := skeleton.find_bone(helper["name"])
		if bone < 0:
			push_error("%s: the skeleton has no bone %s" % [name, helper["name"]])
			continue
		var numbers := _numbers(helper)
		if follow_through and helper.has("swing"):
			_add_swing(skeleton, bone, helper, numbers, seconds)
		_place(skeleton, bone, helper, numbers)
	for corrective in DATA["correctives"]:
		_show(skeleton, corrective)


## Half the angle of a turn along its axis, of the shorter way round.
func _log(turn: Quaternion) -> Vector3:
	if turn.w < 0.0:
		turn = -turn
	var vector := Vector3(turn.x, turn.y, turn.z)
	var sine := vector.length()
	return vector if sine < 1e-6 else vector * (atan2(sine, turn.w) / sine)


func _exp(vector: Vector3) -> Quaternion:
	var half := vector.length()
	var part := vector * (1.0 if half < 1e-6 else sin(half) / half)
	return Quaternion(part.x, part.y, part.z, cos(half)).normalized()


func _read_inputs(skeleton: Skeleton3D) -> void:
	_inputs.clear()
	for driver in DATA["drivers"]:
		var bone := skeleton.find_bone(driver["name"])
		var turn := Quaternion.IDENTITY
		if bone >= 0:
			var r: Array = driver["rest"]
			turn = Quaternion(r[0], r[1], r[2], r[3]).inverse() * skeleton.get_bone_pose_rotation(bone)
		var turned := _log(turn.normalized())
		for axis in driver["axes"]:
			_inputs.append(turned.x * axis[0] + turned.y * axis[1] + turned.z * axis[2])


func _find_values() -> void:
	_values.clear()
	_values.append(1.0)
	# By `get`: indexing a constant by a key that it lacks would be an error of the script.
	for product in DATA.get("monomials", []):
		var value := 1.0
		for input in product:
			value *= _inputs[input]
		_values.append(value)
	var radial: Dictionary = DATA.get("radial", {})
	if radial.is_empty():
		return
	_values.append_array(_inputs)
	for center in radial["centers"]:
		var square := 0.0
		for at in _inputs.size():
			square += pow(radial["scales"][at] * _inputs[at] - center[at], 2.0)
		_values.append(exp(-square))


func _numbers(helper: Dictionary) -> PackedFloat64Array:
	var numbers := PackedFloat64Array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
	for term in helper["functions"].size():
		var value := _values[helper["functions"][term]]
		for at in 7:
			numbers[at] += value * helper["coefficients"][term][at]
	return numbers


## Adds what a mass on a spring does that hangs where the helper stands in its parent at rest:
## o'' = -w^2 o - 2 z w o' - p'', with p that place in the scene, o the mass's offset from it. Between
## frames p goes straight on, so that its speed jumps at each frame and o is known exactly.
func _add_swing(
	skeleton: Skeleton3D,
	bone: int,
	helper: Dictionary,
	numbers: PackedFloat64Array,
	seconds: float
) -> void:
	var swing: Dictionary = helper["swing"]
	var omega: float = TAU * swing["frequency"]
	var decay: float = swing["damping"] * omega
	var limit: float = swing["limit"]
	var stands := skeleton.global_transform
	var parent := skeleton.get_bone_parent(bone)
	if parent >= 0:
		stands = stands * skeleton.get_bone_global_pose(parent)
	var t: Array = helper["rest"]["translation"]
	var r: Array = helper["rest"]["rotation"]
	var place := stands * Vector3(t[0], t[1], t[2])
	var axes := stands.basis.get_rotation_quaternion() * Quaternion(r[0], r[1], r[2], r[3])
	if not _swings.has(bone):
		_swings[bone] = {"place": place, "offset": Vector3.ZERO, "speed": Vector3.ZERO}
	elif seconds > 0.0:
		var state: Dictionary = _swings[bone]
		# The first speed that is seen is no jump: the character may be on its way.
		var velocity: Vector3 = (place - state["place"]) / seconds
		var offset: Vector3 = state["offset"]
		var speed: Vector3 = state["speed"] - (velocity - state.get("velocity", velocity))
		var square := omega * omega - decay * decay
		var root := sqrt(absf(square))
		var angle := root * seconds
		var cosine := cos(angle) if square > 0.0 else cosh(angle)
		var sine := seconds
		if angle >= 1e-4:
			sine = (sin(angle) if square > 0.0 else sinh(angle)) / root
		var fade := exp(-decay * seconds)
		var moved := (offset * (cosine + decay * sine) + speed * sine) * fade
		var swung := (speed * (cosine - decay * sine) - offset * (omega * omega * sine)) * fade
		var most := 20.0 * limit / (omega * omega)
		var share := minf(1.0, most / maxf(moved.length(), 1e-12))
		_swings[bone] = {
			"place": place, "velocity": velocity, "offset": moved * share, "speed": swung * share
		}
	var free: Vector3 = _swings[bone]["offset"] * (omega * omega)
	var pull := axes.inverse() * (free / sqrt(1.0 + free.length_squared() / (limit * limit)))
	for at in 7:
		for axis in 3:
			numbers[at] += swing["gains"][axis][at] * pull[axis]


func _place(
	skeleton: Skeleton3D, bone: int, helper: Dictionary, numbers: PackedFloat64Array
) -> void:
	var t: Array = helper["rest"]["translation"]
	var r: Array = helper["rest"]["rotation"]
	var s: Array = helper["rest"]["scale"]
	var turn := Quaternion(r[0], r[1], r[2], r[3])
	var size := Vector3(s[0], s[1], s[2])
	var shift := Vector3(numbers[0], numbers[1], numbers[2])
	skeleton.set_bone_pose_position(bone, Vector3(t[0], t[1], t[2]) + turn * (size * shift))
	skeleton.set_bone_pose_rotation(bone, turn * _exp(Vector3(numbers[3], numbers[4], numbers[5])))
	skeleton.set_bone_pose_scale(bone, size * exp(numbers[6]))


func _show(skeleton: Skeleton3D, corrective: Dictionary) -> void:
	var weight := 0.0
	for term in corrective["functions"].size():
		weight += _values[corrective["functions"][term]] * corrective["coefficients"][term]
	for child in skeleton.find_children("*", "MeshInstance3D", true, false):
		var shape: int = child.find_blend_shape_by_name(corrective["morph"])
		if shape >= 0:
			child.set_blend_shape_value(shape, maxf(weight, 0.0))
