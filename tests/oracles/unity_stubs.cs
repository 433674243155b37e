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

    public class MonoBehaviour : Component { }

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

    // Arguments: names of drivers, "--", names of helpers, "--", names of morphs. A line of input is a pose: x y z w of the local rotation of each
    // driver, mirrored along x; or, after it, also place and rotation of what all helpers hang from. A line of output: place, rotation and scale of each helper, mirrored, then weights of morphs.
    public static void Main(string[] arguments)
    {
        var lists = new List<List<string>> { new List<string>() };
        foreach (var argument in arguments)
        {
            if (argument == "--") { lists.Add(new List<string>()); } else { lists[lists.Count - 1].Add(argument); }
        }
        var drivers = lists[0].ConvertAll(Bone);
        var helpers = lists[1].ConvertAll(Bone);
        var carrier = new UnityEngine.Transform { rotation = new UnityEngine.Quaternion(0f, 0f, 0f, 1f) };
        helpers.ForEach(helper => helper.parent = carrier);
        var skin = new UnityEngine.SkinnedMeshRenderer();
        skin.sharedMesh.Shapes = lists[2];
        UnityEngine.Component.All.Add(skin);
        var script = new SinewHelperControllers();
        Call(script, "Awake");
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
            Call(script, "LateUpdate");
            var found = new List<float>();
            foreach (var helper in helpers)
            {
                var (p, r, s) = (helper.localPosition, helper.localRotation, helper.localScale);
                found.AddRange(new float[] { p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z });
            }
            for (int shape = 0; shape < lists[2].Count; shape++) { found.Add(skin.Weights[shape]); }
            Console.WriteLine(string.Join(" ", found.ConvertAll(number => number.ToString("R", CultureInfo.InvariantCulture))));
        }
    }

    static void Call(object script, string name)
    {
        script.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(script, null);
    }
}
