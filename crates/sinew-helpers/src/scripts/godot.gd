extends SkeletonModifier3D
## Makes helper bones follow in Godot 4.3 or newer, as their controllers in the glTF file say.
##
## Add a node with this script below the Skeleton3D of the imported model. It works after
## animations, so that helpers follow every pose; baked tracks of helpers are not needed then.
## Correctives are blend shapes of the meshes below the skeleton. Names are those that Godot's
## importer gives bones; import without a bone map that renames them.

const DATA = {}

## Whether helpers lag and swing, where the file says how.
@export var follow_through := true

# The skeleton that bones were found in, and its version then.
var _skeleton: Skeleton3D = null
var _version := -1

# DATA in packed arrays, and memory of a frame, so that a frame makes no array or dictionary.
var _driver_bones := PackedInt32Array()
var _driver_ends := PackedInt32Array()
var _rest_turns_back: Array[Quaternion] = []
var _axes := PackedVector3Array()
var _product_ends := PackedInt32Array()
var _product_inputs := PackedInt32Array()
var _scales := PackedFloat64Array()
var _centers := PackedFloat64Array()
var _helper_bones := PackedInt32Array()
var _helper_parents := PackedInt32Array()
var _rest_places := PackedVector3Array()
var _rest_turns: Array[Quaternion] = []
var _rest_sizes := PackedVector3Array()
var _term_ends := PackedInt32Array()
var _term_functions := PackedInt32Array()
var _coefficients := PackedFloat64Array()
# For each helper frequency, damping and limit, then seven gains for each axis; all 0 without.
var _springs := PackedFloat64Array()
var _shape_meshes: Array[MeshInstance3D] = []
var _shape_indices := PackedInt32Array()
var _shape_correctives := PackedInt32Array()
var _shape_ends := PackedInt32Array()
var _shape_functions := PackedInt32Array()
var _shape_coefficients := PackedFloat64Array()
var _inputs := PackedFloat64Array()
var _values := PackedFloat64Array()
var _numbers := PackedFloat64Array()

# Of swings: frames seen, up to 2, and the places, speeds and offsets of the masses.
var _frames := PackedInt32Array()
var _places := PackedVector3Array()
var _velocities := PackedVector3Array()
var _offsets := PackedVector3Array()
var _speeds := PackedVector3Array()


func _process_modification() -> void:
	var skeleton := get_skeleton()
	if skeleton == null:
		return
	if skeleton != _skeleton or skeleton.get_version() != _version:
		if not _prepare(skeleton):
			active = false
			return
	_read_inputs(skeleton)
	_find_values()
	var seconds := get_process_delta_time()
	for helper in _helper_bones.size():
		_find_numbers(helper)
		if follow_through and _springs[24 * helper] > 0.0:
			_add_swing(skeleton, helper, seconds)
		_place(skeleton, helper)
	_show()


## Finds bones and meshes, and lays out DATA. False if a bone is missing, which is reported.
func _prepare(skeleton: Skeleton3D) -> bool:
	_driver_bones = _find_bones(skeleton, DATA["drivers"])
	_helper_bones = _find_bones(skeleton, DATA["helpers"])
	if _driver_bones.has(-1) or _helper_bones.has(-1):
		return false
	_skeleton = skeleton
	_version = skeleton.get_version()
	_prepare_drivers()
	_prepare_functions()
	_prepare_helpers(skeleton)
	_prepare_shapes(skeleton)
	return true


func _find_bones(skeleton: Skeleton3D, entries: Array) -> PackedInt32Array:
	var bones := PackedInt32Array()
	for entry: Dictionary in entries:
		var bone := skeleton.find_bone(entry["name"])
		bones.append(bone)
		if bone < 0:
			push_error("%s: %s has no bone %s" % [name, skeleton.name, entry["name"]])
	return bones


func _prepare_drivers() -> void:
	_driver_ends.clear()
	_rest_turns_back.clear()
	_axes.clear()
	for driver: Dictionary in DATA["drivers"]:
		var r: Array = driver["rest"]
		_rest_turns_back.append(Quaternion(r[0], r[1], r[2], r[3]).inverse())
		for axis: Array in driver["axes"]:
			_axes.append(Vector3(axis[0], axis[1], axis[2]))
		_driver_ends.append(_axes.size())
	_inputs.resize(_axes.size())


func _prepare_functions() -> void:
	_product_ends.clear()
	_product_inputs.clear()
	_scales.clear()
	_centers.clear()
	# By `get`: indexing a constant by a key that it lacks would be an error of the script.
	for product: Array in DATA.get("monomials", []):
		_product_inputs.append_array(PackedInt32Array(product))
		_product_ends.append(_product_inputs.size())
	var radial: Dictionary = DATA.get("radial", {})
	var functions := 1 + _product_ends.size()
	if not radial.is_empty():
		_scales = PackedFloat64Array(radial["scales"])
		for center: Array in radial["centers"]:
			_centers.append_array(PackedFloat64Array(center))
		functions += _inputs.size() + radial["centers"].size()
	_values.resize(functions)
	_numbers.resize(7)


func _prepare_helpers(skeleton: Skeleton3D) -> void:
	_helper_parents.clear()
	_rest_places.clear()
	_rest_turns.clear()
	_rest_sizes.clear()
	_term_ends.clear()
	_term_functions.clear()
	_coefficients.clear()
	_springs.clear()
	for helper: Dictionary in DATA["helpers"]:
		_helper_parents.append(skeleton.get_bone_parent(_helper_bones[_helper_parents.size()]))
		var t: Array = helper["rest"]["translation"]
		var r: Array = helper["rest"]["rotation"]
		var s: Array = helper["rest"]["scale"]
		_rest_places.append(Vector3(t[0], t[1], t[2]))
		_rest_turns.append(Quaternion(r[0], r[1], r[2], r[3]))
		_rest_sizes.append(Vector3(s[0], s[1], s[2]))
		_term_functions.append_array(PackedInt32Array(helper["functions"]))
		for row: Array in helper["coefficients"]:
			_coefficients.append_array(PackedFloat64Array(row))
		_term_ends.append(_term_functions.size())
		var swing: Dictionary = helper.get("swing", {})
		if swing.is_empty():
			_springs.resize(_springs.size() + 24)
			_springs[24 * _rest_turns.size() - 24] = 0.0
			continue
		_springs.append(swing["frequency"])
		_springs.append(swing["damping"])
		_springs.append(swing["limit"])
		for row: Array in swing["gains"]:
			_springs.append_array(PackedFloat64Array(row))
	_frames.resize(_helper_bones.size())
	_frames.fill(0)
	_places.resize(_helper_bones.size())
	_velocities.resize(_helper_bones.size())
	_offsets.resize(_helper_bones.size())
	_offsets.fill(Vector3.ZERO)
	_speeds.resize(_helper_bones.size())
	_speeds.fill(Vector3.ZERO)


func _prepare_shapes(skeleton: Skeleton3D) -> void:
	_shape_meshes.clear()
	_shape_indices.clear()
	_shape_correctives.clear()
	_shape_ends.clear()
	_shape_functions.clear()
	_shape_coefficients.clear()
	var meshes := skeleton.find_children("*", "MeshInstance3D", true, false)
	for corrective: Dictionary in DATA["correctives"]:
		var found := 0
		for mesh: MeshInstance3D in meshes:
			var shape := mesh.find_blend_shape_by_name(corrective["morph"])
			if shape >= 0:
				found += 1
				_shape_meshes.append(mesh)
				_shape_indices.append(shape)
				_shape_correctives.append(_shape_ends.size())
		if found == 0:
			push_warning("%s: no blend shape %s" % [name, corrective["morph"]])
		_shape_functions.append_array(PackedInt32Array(corrective["functions"]))
		_shape_coefficients.append_array(PackedFloat64Array(corrective["coefficients"]))
		_shape_ends.append(_shape_functions.size())


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
	var at := 0
	for driver in _driver_bones.size():
		var now := skeleton.get_bone_pose_rotation(_driver_bones[driver])
		var turned := _log((_rest_turns_back[driver] * now).normalized())
		while at < _driver_ends[driver]:
			_inputs[at] = turned.dot(_axes[at])
			at += 1


func _find_values() -> void:
	_values[0] = 1.0
	var at := 0
	var function := 1
	for product in _product_ends.size():
		var value := 1.0
		while at < _product_ends[product]:
			value *= _inputs[_product_inputs[at]]
			at += 1
		_values[function] = value
		function += 1
	if _scales.is_empty():
		return
	for input in _inputs.size():
		_values[function] = _inputs[input]
		function += 1
	at = 0
	while at < _centers.size():
		var square := 0.0
		for input in _inputs.size():
			var off := _scales[input] * _inputs[input] - _centers[at]
			square += off * off
			at += 1
		_values[function] = exp(-square)
		function += 1


func _find_numbers(helper: int) -> void:
	_numbers.fill(0.0)
	var term := 0 if helper == 0 else _term_ends[helper - 1]
	while term < _term_ends[helper]:
		var value := _values[_term_functions[term]]
		for at in 7:
			_numbers[at] += value * _coefficients[7 * term + at]
		term += 1


## Adds what a mass on a spring does that hangs where the helper stands in its parent at rest:
## o'' = -w^2 o - 2 z w o' - p'', with p that place in the scene, o the mass's offset from it.
## Between frames p goes straight on, so that its speed jumps at each frame and o is known exactly.
func _add_swing(skeleton: Skeleton3D, helper: int, seconds: float) -> void:
	var spring := 24 * helper
	var omega := TAU * _springs[spring]
	var decay := _springs[spring + 1] * omega
	var limit := _springs[spring + 2]
	var stands := skeleton.global_transform
	if _helper_parents[helper] >= 0:
		stands = stands * skeleton.get_bone_global_pose(_helper_parents[helper])
	var place := stands * _rest_places[helper]
	var axes := stands.basis.get_rotation_quaternion() * _rest_turns[helper]
	if _frames[helper] > 0 and seconds > 0.0:
		# The first speed that is seen is not a jump: the character may be on its way.
		var velocity := (place - _places[helper]) / seconds
		var before := _velocities[helper] if _frames[helper] > 1 else velocity
		var offset := _offsets[helper]
		var speed := _speeds[helper] - (velocity - before)
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
		_velocities[helper] = velocity
		_offsets[helper] = moved * share
		_speeds[helper] = swung * share
	if _frames[helper] == 0 or seconds > 0.0:
		_places[helper] = place
		_frames[helper] = mini(_frames[helper] + 1, 2)
	var full := _offsets[helper] * (omega * omega)
	var pull := axes.inverse() * (full / sqrt(1.0 + full.length_squared() / (limit * limit)))
	for at in 7:
		for axis in 3:
			_numbers[at] += _springs[spring + 3 + 7 * axis + at] * pull[axis]


func _place(skeleton: Skeleton3D, helper: int) -> void:
	var bone := _helper_bones[helper]
	var turn := _rest_turns[helper]
	var size := _rest_sizes[helper]
	var shift := Vector3(_numbers[0], _numbers[1], _numbers[2])
	var turned := _exp(Vector3(_numbers[3], _numbers[4], _numbers[5]))
	skeleton.set_bone_pose_position(bone, _rest_places[helper] + turn * (size * shift))
	skeleton.set_bone_pose_rotation(bone, turn * turned)
	skeleton.set_bone_pose_scale(bone, size * exp(_numbers[6]))


func _show() -> void:
	for shape in _shape_indices.size():
		var corrective := _shape_correctives[shape]
		var term := 0 if corrective == 0 else _shape_ends[corrective - 1]
		var weight := 0.0
		while term < _shape_ends[corrective]:
			weight += _values[_shape_functions[term]] * _shape_coefficients[term]
			term += 1
		_shape_meshes[shape].set_blend_shape_value(_shape_indices[shape], maxf(weight, 0.0))
