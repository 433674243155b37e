// Runs the Khronos glTF validator over files that we wrote.
//
//   node validate.mjs FILE...                              a file fails if it has errors
//   node validate.mjs --compare ORIGINAL WRITTEN [...]     a pair fails if WRITTEN has errors, or more warnings of a code than ORIGINAL
//
// The comparison exists because real files come with warnings of their own: a writer must not be blamed for those, but must not add to them.
// Infos and hints are counted, never failed on. The last line is `N passed, N failed`; the exit code is 1 if any failed, 2 for misuse.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import validator from "gltf-validator";

const SEVERITIES = ["errors", "warnings", "infos", "hints"];
const ERROR = 0;
const WARNING = 1;
const UNREADABLE = "UNREADABLE";

/** Reads what a file refers to, relative to that file. */
function resourceReader(path) {
  return async (uri) => new Uint8Array(await readFile(resolve(dirname(path), decodeURIComponent(uri))));
}

/** All issues of a file; one that is missing, or not glTF at all, counts as one error. */
async function issuesOf(path) {
  const options = { uri: path, maxIssues: 0, externalResourceFunction: resourceReader(path) };
  try {
    const report = await validator.validateBytes(new Uint8Array(await readFile(path)), options);
    return report.issues.messages;
  } catch (error) {
    return [{ severity: ERROR, code: UNREADABLE, message: error.message ?? String(error), pointer: "" }];
  }
}

function countsLine(issues) {
  return SEVERITIES.map((name, severity) => `${issues.filter((issue) => issue.severity === severity).length} ${name}`).join(", ");
}

/** VRM 1.0 wants MToon beside its fallback, KHR_materials_unlit; a material of VRM 0.x has MToon elsewhere. */
function isFallbackOfToon(issue) {
  return issue.code === "MULTIPLE_EXTENSIONS" && issue.pointer.startsWith("/materials/");
}

function warningCounts(issues) {
  const counts = new Map();
  for (const issue of issues.filter((issue) => issue.severity === WARNING && !isFallbackOfToon(issue))) {
    counts.set(issue.code, (counts.get(issue.code) ?? 0) + 1);
  }
  return counts;
}

function errorLines(issues) {
  return issues
    .filter((issue) => issue.severity === ERROR)
    .map((issue) => `error ${issue.code} at ${issue.pointer || "the file"}: ${issue.message}`);
}

function addedWarningLines(original, written) {
  const before = warningCounts(original);
  return [...warningCounts(written)]
    .filter(([code, count]) => count > (before.get(code) ?? 0))
    .map(([code, count]) => `warning ${code}: ${count}, but ${before.get(code) ?? 0} in the original`);
}

function printResult(title, issues, complaints) {
  console.log(`${complaints.length === 0 ? "ok  " : "FAIL"} ${title}: ${countsLine(issues)}`);
  for (const complaint of complaints) console.log(`     ${complaint}`);
  return complaints.length === 0;
}

async function checkFile(path) {
  const issues = await issuesOf(path);
  return printResult(path, issues, errorLines(issues));
}

async function checkPair(originalPath, writtenPath) {
  const [original, written] = [await issuesOf(originalPath), await issuesOf(writtenPath)];
  const originalIsMissing = original.filter((issue) => issue.code === UNREADABLE);
  const complaints = [...errorLines(originalIsMissing), ...errorLines(written), ...addedWarningLines(original, written)];
  return printResult(`${writtenPath} (original: ${countsLine(original)})`, written, complaints);
}

async function runChecks(paths, compare) {
  const results = [];
  for (let index = 0; index < paths.length; index += compare ? 2 : 1) {
    results.push(await (compare ? checkPair(paths[index], paths[index + 1]) : checkFile(paths[index])));
  }
  return results;
}

const compare = process.argv[2] === "--compare";
const paths = process.argv.slice(compare ? 3 : 2);
if (paths.length === 0 || (compare && paths.length % 2 !== 0)) {
  console.error("usage: validate.mjs FILE... | validate.mjs --compare ORIGINAL WRITTEN [ORIGINAL WRITTEN]...");
  process.exit(2);
}
const results = await runChecks(paths, compare);
const failed = results.filter((passed) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
