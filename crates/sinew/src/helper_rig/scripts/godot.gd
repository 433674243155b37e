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
var _states := []
var _waited := 0.0


func _process_modification() -> void:
	var skeleton := get_skeleton()
	if skeleton == null:
		return
	_read_inputs(skeleton)
	_find_values()
	var steps := _steps_due()
	for index in DATA["helpers"].size():
		var helper: Dictionary = DATA["helpers"][index]
		var bone := skeleton.find_bone(helper["name"])
		if bone < 0:
			push_error("%s: the skeleton has no bone %s" % [name, helper["name"]])
			continue
		_place(skeleton, bone, helper, _followed(index, helper, _numbers(helper), steps))
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


## How many frames of the filters have passed.
func _steps_due() -> int:
	if not follow_through or DATA["framesPerSecond"] <= 0.0:
		return 0
	_waited += get_process_delta_time()
	var steps := int(_waited * DATA["framesPerSecond"])
	_waited -= steps / float(DATA["framesPerSecond"])
	return steps


## What the filter makes of what the controller says:
## z = a1 z1 + a2 z2 + b0 y + b1 y1 + b2 y2.
func _followed(
	index: int, helper: Dictionary, said: PackedFloat64Array, steps: int
) -> PackedFloat64Array:
	if not helper.has("filter") or not follow_through:
		return said
	while _states.size() <= index:
		_states.append(null)
	if _states[index] == null:
		_states[index] = [said.duplicate(), said.duplicate(), said.duplicate(), said.duplicate()]
	var state: Array = _states[index]
	var weights: Array = helper["filter"]
	for step in steps:
		var result := PackedFloat64Array()
		for at in 7:
			result.append(
				weights[0] * state[0][at] + weights[1] * state[1][at]
				+ weights[2] * said[at] + weights[3] * state[2][at] + weights[4] * state[3][at]
			)
		_states[index] = [result, state[0], said.duplicate(), state[2]]
		state = _states[index]
	return state[0]


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
