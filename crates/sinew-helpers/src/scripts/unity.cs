// Makes helper bones follow in Unity, as their controllers in the glTF file say.
//
// Put this component on the root of the imported model. It works in LateUpdate, after animations, so that helpers follow every pose.
// glTF is right-handed, Unity left-handed: importers mirror one axis. Set Mirrored to the axis that yours mirrors; glTFast and UnityGLTF
// mirror X. Correctives are blend shapes; weights of Unity go to 100. A frame allocates nothing.
// Unity finds the component only if this file has the name of the class.

using System;
using System.Collections.Generic;
using UnityEngine;

public class SinewClassName : MonoBehaviour
{
    public enum Axis { X, Z }

    [Tooltip("The axis that the importer mirrors.")]
    public Axis Mirrored = Axis.X;

    [Tooltip("Whether bones lag and swing, where the file says how.")]
    public bool FollowThrough = true;

    sealed class DriverBone
    {
        public readonly string Name;
        public readonly double[] Rest;
        public readonly double[] Axes;
        public Transform Bone;

        public DriverBone(string name, double[] rest, double[] axes)
        {
            Name = name;
            Rest = rest;
            Axes = axes;
        }
    }

    sealed class HelperBone
    {
        public readonly string Name;
        public readonly double[] Rest;
        public readonly int[] Functions;
        public readonly double[] Coefficients;
        public readonly double[] Swing;
        public Transform Bone;
        public int FramesSeen;
        public Vector3 PlaceBefore, Velocity, Offset, OffsetVelocity;

        public HelperBone(string name, double[] rest, int[] functions, double[] coefficients, double[] swing)
        {
            Name = name;
            Rest = rest;
            Functions = functions;
            Coefficients = coefficients;
            Swing = swing;
        }
    }

    sealed class CorrectiveShape
    {
        public readonly string Morph;
        public readonly int[] Functions;
        public readonly double[] Coefficients;
        public SkinnedMeshRenderer[] Skins;
        public int[] Shapes;

        public CorrectiveShape(string morph, int[] functions, double[] coefficients)
        {
            Morph = morph;
            Functions = functions;
            Coefficients = coefficients;
        }
    }

    readonly DriverBone[] driverBones = { };
    static readonly int[][] monomials = { };
    static readonly double[] radialScales = { };
    static readonly double[][] radialCenters = { };
    readonly HelperBone[] helperBones = { };
    readonly CorrectiveShape[] correctiveShapes = { };
    static readonly bool isRadial = false;
    const int inputCount = 0;

    // Memory of a frame, so that none is allocated.
    readonly double[] inputs = new double[inputCount];
    readonly double[] values = new double[1 + (isRadial ? inputCount + radialCenters.Length : monomials.Length)];
    readonly double[] numbers = new double[7];

    void OnEnable()
    {
        var bones = new Dictionary<string, Transform>();
        foreach (var bone in GetComponentsInChildren<Transform>(true))
        {
            // The model's own bones come before what hangs from them.
            if (!bones.ContainsKey(bone.name))
            {
                bones.Add(bone.name, bone);
            }
        }
        var missing = new List<string>();
        foreach (var driver in driverBones)
        {
            driver.Bone = Find(bones, driver.Name, missing);
        }
        foreach (var helper in helperBones)
        {
            helper.Bone = Find(bones, helper.Name, missing);
            helper.FramesSeen = 0;
            helper.Velocity = helper.Offset = helper.OffsetVelocity = new Vector3(0f, 0f, 0f);
        }
        foreach (var corrective in correctiveShapes)
        {
            FindShapes(corrective);
        }
        if (missing.Count > 0)
        {
            var bonesMissing = string.Join(", ", missing.ToArray());
            Debug.LogError("no bone " + bonesMissing + " below " + name + "; put this component on the root of the model that it was made for", this);
            enabled = false;
        }
    }

    static Transform Find(Dictionary<string, Transform> bones, string name, List<string> missing)
    {
        Transform bone;
        if (!bones.TryGetValue(name, out bone))
        {
            missing.Add(name);
        }
        return bone;
    }

    void FindShapes(CorrectiveShape corrective)
    {
        var skins = new List<SkinnedMeshRenderer>();
        var shapes = new List<int>();
        foreach (var skin in GetComponentsInChildren<SkinnedMeshRenderer>(true))
        {
            int shape = skin.sharedMesh == null ? -1 : skin.sharedMesh.GetBlendShapeIndex(corrective.Morph);
            if (shape >= 0)
            {
                skins.Add(skin);
                shapes.Add(shape);
            }
        }
        if (skins.Count == 0)
        {
            Debug.LogWarning("no blend shape " + corrective.Morph + " below " + name, this);
        }
        corrective.Skins = skins.ToArray();
        corrective.Shapes = shapes.ToArray();
    }

    void LateUpdate()
    {
        ReadInputs();
        FindValues();
        foreach (var helper in helperBones)
        {
            FindNumbers(helper);
            if (FollowThrough && helper.Swing.Length > 0)
            {
                AddSwing(helper, Time.deltaTime);
            }
            Place(helper);
        }
        foreach (var corrective in correctiveShapes)
        {
            Show(corrective);
        }
    }

    // A mirror turns positions and rotations of one hand into those of the other, and back.
    Vector3 Mirror(Vector3 v)
    {
        return Mirrored == Axis.X ? new Vector3(-v.x, v.y, v.z) : new Vector3(v.x, v.y, -v.z);
    }

    Quaternion Mirror(Quaternion q)
    {
        return Mirrored == Axis.X ? new Quaternion(q.x, -q.y, -q.z, q.w) : new Quaternion(-q.x, -q.y, q.z, q.w);
    }

    static Quaternion Rotation(double[] r, int at)
    {
        return new Quaternion((float)r[at], (float)r[at + 1], (float)r[at + 2], (float)r[at + 3]);
    }

    static Quaternion Exp(double x, double y, double z)
    {
        double half = Math.Sqrt(x * x + y * y + z * z);
        double share = half < 1e-6 ? 1.0 : Math.Sin(half) / half;
        return new Quaternion((float)(x * share), (float)(y * share), (float)(z * share), (float)Math.Cos(half)).normalized;
    }

    // Inputs: half the angle of a driver's rotation, the shorter way round, along each of its axes.
    void ReadInputs()
    {
        int input = 0;
        foreach (var driver in driverBones)
        {
            var turn = (Quaternion.Inverse(Rotation(driver.Rest, 0)) * Mirror(driver.Bone.localRotation)).normalized;
            double sine = Math.Sqrt((double)turn.x * turn.x + (double)turn.y * turn.y + (double)turn.z * turn.z);
            double share = sine < 1e-6 ? 1.0 : Math.Atan2(sine, Math.Abs(turn.w)) / sine;
            share = turn.w < 0f ? -share : share;
            for (int at = 0; at < driver.Axes.Length; at += 3)
            {
                inputs[input++] = share * (turn.x * driver.Axes[at] + turn.y * driver.Axes[at + 1] + turn.z * driver.Axes[at + 2]);
            }
        }
    }

    void FindValues()
    {
        values[0] = 1.0;
        int function = 1;
        foreach (var product in monomials)
        {
            double value = 1.0;
            foreach (int input in product)
            {
                value *= inputs[input];
            }
            values[function++] = value;
        }
        if (!isRadial)
        {
            return;
        }
        foreach (double input in inputs)
        {
            values[function++] = input;
        }
        foreach (var center in radialCenters)
        {
            double square = 0.0;
            for (int at = 0; at < inputs.Length; at++)
            {
                double off = radialScales[at] * inputs[at] - center[at];
                square += off * off;
            }
            values[function++] = Math.Exp(-square);
        }
    }

    void FindNumbers(HelperBone helper)
    {
        Array.Clear(numbers, 0, numbers.Length);
        for (int term = 0; term < helper.Functions.Length; term++)
        {
            double value = values[helper.Functions[term]];
            for (int at = 0; at < 7; at++)
            {
                numbers[at] += value * helper.Coefficients[7 * term + at];
            }
        }
    }

    // A mass on a spring hangs where the helper stands in its parent at rest: o'' = -w^2 o - 2 z w o' - p'', with p that place in the scene, o the
    // mass's offset from it. Between frames p goes straight on, so that its speed jumps at each frame and o is known exactly.
    void AddSwing(HelperBone helper, double seconds)
    {
        double omega = 2.0 * Math.PI * helper.Swing[0], decay = helper.Swing[1] * omega, limit = helper.Swing[2];
        var parent = helper.Bone.parent;
        var rest = new Vector3((float)helper.Rest[0], (float)helper.Rest[1], (float)helper.Rest[2]);
        var place = parent.TransformPoint(Mirror(rest));
        if (helper.FramesSeen > 0 && seconds > 0.0)
        {
            // The first speed that is seen is not a jump: the character may be on its way.
            var velocity = (place - helper.PlaceBefore) * (float)(1.0 / seconds);
            var speed = helper.OffsetVelocity - (velocity - (helper.FramesSeen > 1 ? helper.Velocity : velocity));
            helper.Velocity = velocity;
            double square = omega * omega - decay * decay, root = Math.Sqrt(Math.Abs(square)), angle = root * seconds;
            double cosine = square > 0.0 ? Math.Cos(angle) : Math.Cosh(angle);
            double sine = angle < 1e-4 ? seconds : (square > 0.0 ? Math.Sin(angle) : Math.Sinh(angle)) / root;
            double fade = Math.Exp(-decay * seconds);
            var offset = helper.Offset;
            helper.Offset = offset * (float)((cosine + decay * sine) * fade) + speed * (float)(sine * fade);
            helper.OffsetVelocity = speed * (float)((cosine - decay * sine) * fade) - offset * (float)(omega * omega * sine * fade);
            double most = 20.0 * limit / (omega * omega), far = helper.Offset.magnitude;
            if (far > most)
            {
                helper.Offset = helper.Offset * (float)(most / far);
                helper.OffsetVelocity = helper.OffsetVelocity * (float)(most / far);
            }
        }
        if (helper.FramesSeen == 0 || seconds > 0.0)
        {
            helper.PlaceBefore = place;
            helper.FramesSeen = Math.Min(helper.FramesSeen + 1, 2);
        }
        var free = helper.Offset * (float)(omega * omega);
        double size = free.magnitude / limit;
        var axes = Mirror(parent.rotation) * Rotation(helper.Rest, 3);
        var pull = Quaternion.Inverse(axes) * Mirror(free * (float)(1.0 / Math.Sqrt(1.0 + size * size)));
        for (int at = 0; at < 7; at++)
        {
            numbers[at] += helper.Swing[3 + at] * pull.x + helper.Swing[10 + at] * pull.y + helper.Swing[17 + at] * pull.z;
        }
    }

    void Place(HelperBone helper)
    {
        var rest = helper.Rest;
        var turn = Rotation(rest, 3);
        var size = new Vector3((float)rest[7], (float)rest[8], (float)rest[9]);
        var shift = Vector3.Scale(size, new Vector3((float)numbers[0], (float)numbers[1], (float)numbers[2]));
        var place = new Vector3((float)rest[0], (float)rest[1], (float)rest[2]) + turn * shift;
        helper.Bone.localPosition = Mirror(place);
        helper.Bone.localRotation = Mirror(turn * Exp(numbers[3], numbers[4], numbers[5]));
        helper.Bone.localScale = size * (float)Math.Exp(numbers[6]);
    }

    void Show(CorrectiveShape corrective)
    {
        double weight = 0.0;
        for (int term = 0; term < corrective.Functions.Length; term++)
        {
            weight += values[corrective.Functions[term]] * corrective.Coefficients[term];
        }
        for (int at = 0; at < corrective.Skins.Length; at++)
        {
            corrective.Skins[at].SetBlendShapeWeight(corrective.Shapes[at], 100f * (float)Math.Max(weight, 0.0));
        }
    }
}
