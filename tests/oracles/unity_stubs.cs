// As much of Unity's types as the script of `sinew export controllers --for unity` uses, by Unity's documentation, and a program that runs the
// script on them: poses come in as numbers, what bones do goes out.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;

namespace UnityEngine
{
    public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public float magnitude { get { return (float)Math.Sqrt(x * x + y * y + z * z); } }
        public static Vector3 operator *(Vector3 a, float s) { return new Vector3(a.x * s, a.y * s, a.z * s); }
        public static Vector3 Scale(Vector3 a, Vector3 b) { return new Vector3(a.x * b.x, a.y * b.y, a.z * b.z); }
        public static Vector3 Cross(Vector3 a, Vector3 b) { return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
        public Quaternion normalized
        {
            get { float n = (float)Math.Sqrt(x * x + y * y + z * z + w * w); return new Quaternion(x / n, y / n, z / n, w / n); }
        }
        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            var u = new Vector3(q.x, q.y, q.z);
            var t = Vector3.Cross(u, v) * 2f;
            return v + t * q.w + Vector3.Cross(u, t);
        }
    }

    public class Component
    {
        public string name = "";
        public static readonly List<object> All = new List<object>();
        public T[] GetComponentsInChildren<T>(bool includeInactive = false)
        {
            var found = new List<T>();
            foreach (var component in All) { if (component is T) { found.Add((T)component); } }
            return found.ToArray();
        }
    }

    public class MonoBehaviour : Component { public bool enabled = true; }

    public static class Debug
    {
        public static void LogError(string text, Component about) { Console.Error.WriteLine("error: " + text); }
        public static void LogWarning(string text, Component about) { Console.Error.WriteLine("warning: " + text); }
    }

    public class Transform : Component
    {
        public Vector3 localPosition, localScale;
        public Quaternion localRotation;
        public Transform parent;
        // Those of a parent that stands anywhere in the scene, unscaled.
        public Vector3 position;
        public Quaternion rotation;
        public Vector3 TransformPoint(Vector3 point) { return position + rotation * point; }
    }

    public class Mesh
    {
        public List<string> Shapes = new List<string>();
        public double[] Kept;
        public int GetBlendShapeIndex(string name) { return Shapes.IndexOf(name); }
    }

    public class SkinnedMeshRenderer : Component
    {
        public Mesh sharedMesh = new Mesh();
        public Dictionary<int, float> Weights = new Dictionary<int, float>();
        public void SetBlendShapeWeight(int shape, float weight) { Weights[shape] = weight; }
    }

    public static class Time { public static float deltaTime = 1f / 60f; }
}

public static class Program
{
    static UnityEngine.Transform Bone(string name)
    {
        var bone = new UnityEngine.Transform { name = name };
        UnityEngine.Component.All.Add(bone);
        return bone;
    }

    const int CountedFrames = 10000;

    // Arguments: the script's class, names of drivers, "--", names of helpers, "--", names of morphs. A line of input is a pose: x y z w of the local
    // rotation of each driver, mirrored along x; or, after it, also place and rotation of what all helpers hang from. A line of output: place, rotation and
    // scale of each helper, mirrored, then weights of morphs. At the end: how many bytes were allocated in CountedFrames frames.
    public static int Main(string[] arguments)
    {
        var lists = new List<List<string>> { new List<string>() };
        for (int at = 1; at < arguments.Length; at++)
        {
            if (arguments[at] == "--") { lists.Add(new List<string>()); } else { lists[lists.Count - 1].Add(arguments[at]); }
        }
        var drivers = lists[0].ConvertAll(Bone);
        var helpers = lists[1].ConvertAll(Bone);
        var carrier = new UnityEngine.Transform { rotation = new UnityEngine.Quaternion(0f, 0f, 0f, 1f) };
        helpers.ForEach(helper => helper.parent = carrier);
        var skin = new UnityEngine.SkinnedMeshRenderer();
        skin.sharedMesh.Shapes = lists[2];
        UnityEngine.Component.All.Add(skin);
        var script = (UnityEngine.MonoBehaviour)Activator.CreateInstance(Type.GetType(arguments[0], true));
        script.name = "model";
        Method(script, "OnEnable")();
        if (!script.enabled)
        {
            return 3;
        }
        var lateUpdate = Method(script, "LateUpdate");
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var numbers = Array.ConvertAll(line.Split(' '), text => float.Parse(text, CultureInfo.InvariantCulture));
            for (int at = 0; at < drivers.Count; at++)
            {
                drivers[at].localRotation =
                    new UnityEngine.Quaternion(numbers[4 * at], numbers[4 * at + 1], numbers[4 * at + 2], numbers[4 * at + 3]);
            }
            int rest = 4 * drivers.Count;
            if (numbers.Length > rest)
            {
                carrier.position = new UnityEngine.Vector3(numbers[rest], numbers[rest + 1], numbers[rest + 2]);
                carrier.rotation = new UnityEngine.Quaternion(numbers[rest + 3], numbers[rest + 4], numbers[rest + 5], numbers[rest + 6]);
            }
            lateUpdate();
            var found = new List<float>();
            foreach (var helper in helpers)
            {
                var (p, r, s) = (helper.localPosition, helper.localRotation, helper.localScale);
                found.AddRange(new float[] { p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z });
            }
            for (int shape = 0; shape < lists[2].Count; shape++) { found.Add(skin.Weights[shape]); }
            Console.WriteLine(string.Join(" ", found.ConvertAll(number => number.ToString("R", CultureInfo.InvariantCulture))));
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int frame = 0; frame < CountedFrames; frame++)
        {
            carrier.position = new UnityEngine.Vector3(0.01f * (frame % 7), 0f, 0f);
            lateUpdate();
        }
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        // An array of seven numbers takes 88 bytes: proof that the counter counts.
        before = GC.GetAllocatedBytesForCurrentThread();
        skin.sharedMesh.Kept = new double[7];
        long counted = GC.GetAllocatedBytesForCurrentThread() - before;
        Console.WriteLine("allocated " + allocated + " in " + CountedFrames + " counted " + counted);
        return 0;
    }

    static Action Method(object script, string name)
    {
        return (Action)Delegate.CreateDelegate(typeof(Action), script, script.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic));
    }
}
