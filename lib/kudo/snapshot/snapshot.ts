import { formatTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun, type RunSignature } from '@/lib/kudo/runs/plan-run';
import { parseRunRecord } from '@/lib/kudo/runs/record-format';
import { type Html, html } from './html';
import {
  partsOf,
  readSignedData,
  type SignatureCheck,
  type SignedRun,
  signatureProblem,
  signedData,
  signedRunOf,
} from './signed-snapshot';
import {
  explanationSection,
  failureSections,
  headSection,
  objectsSection,
  outputsSection,
  parametersSection,
  steeringSection,
  stepsSection,
} from './snapshot-sections';
import { SNAPSHOT_STYLE } from './snapshot-style';
import { unescapeHtml } from './unescape-html';

/** A run as it is shown in a file. */
export interface SnapshotSource {
  readonly run: PlanRun;
  /** The JSON in the Secret of its record; undefined when the run has none, or none yet. */
  readonly record: JsonObject | undefined;
  /** Of Bravo. */
  readonly version: string;
  readonly nowMs: number;
}

/** What a snapshot says about itself, in its head. */
export interface SnapshotHead {
  readonly namespace: string;
  readonly name: string;
  /** Of the PlanRun. */
  readonly uid: string;
  /** Of Bravo. */
  readonly version: string;
  /** RFC 3339, of a run that was under way; undefined of one that was over. */
  readonly takenAt: string | undefined;
  /** Undefined of a run that is not signed. */
  readonly signature: RunSignature | undefined;
}

const HEAD_NAME = 'bravo-run-snapshot';
const FORMAT = '2';

/**
 * A run as one HTML document without scripts and without requests: it says so to the browser by its policy, and every text in it is escaped.
 * Of a run that is over it depends on the run, its record and the version of Bravo alone, so that a person who may read these can make it
 * again and compare; of a signed one on what the file itself contains. Secret values are fingerprints in the record already.
 */
export function snapshotHtml({ run, record, version, nowMs }: SnapshotSource): string {
  const isEnded = isOver(run.status?.status);
  const signed = isEnded ? signedRunOf(run, record) : undefined;
  const page = signed === undefined ? undefined : signedSnapshotHtml(signed, version);
  if (page !== undefined) return page;
  const takenAt = isEnded ? undefined : formatTime(nowMs);
  const what = isEnded
    ? 'the run is over. It is not signed'
    : `taken at ${takenAt}, while the run was under way, so it is not signed`;
  const check = html` To check that nothing in it was changed: <code>bravo run verify-snapshot FILE</code>, where the cluster can be reached.`;
  const footer = html`Snapshot by Bravo ${version}: ${what}.${isEnded ? check : undefined}`;
  return documentHtml({ run, record, nowMs }, { version, ...(takenAt === undefined ? {} : { takenAt }) }, footer);
}

/** The snapshot of a signed run; undefined for texts that say no run. */
export function signedSnapshotHtml(signed: SignedRun, version: string): string | undefined {
  const parts = partsOf(signed);
  if (parts === undefined) return undefined;
  const { keyId = '', value = '' } = signed.signature;
  const footer = html`Snapshot by Bravo ${version}: the run is over. Signed by the controller; the SHA-256 of its public key is <code>${keyId}</code>. To check that nothing in it was changed: <code>bravo run verify-snapshot FILE --key PUBLIC.pem</code>
${signedData(signed)}`;
  // A run that is over says when it ended, so the time of day does not matter.
  return documentHtml({ ...parts, nowMs: 0 }, { version, signature: { keyId, value } }, footer);
}

function documentHtml(
  { run, record: json, nowMs }: Omit<SnapshotSource, 'version'>,
  about: { readonly [name: string]: unknown },
  footer: Html,
): string {
  const record = parseRunRecord(json);
  const head = { format: FORMAT, ...placeOf(run), ...about };
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="${HEAD_NAME}" content="${JSON.stringify(head)}">
<title>Run ${nameOf(run)}</title>
<style>${{ html: SNAPSHOT_STYLE }}</style>
</head>
<body>
<main>
${headSection(run, nowMs)}
${explanationSection(record)}${stepsSection(run, nowMs)}${parametersSection(run)}${outputsSection(run)}${steeringSection(run)}${objectsSection(record)}${failureSections(record)}</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return document.html;
}

/** What the head of a snapshot says; undefined for a file that is none. */
export function readSnapshotHead(text: string): SnapshotHead | undefined {
  const [, content = ''] = new RegExp(`<meta name="${HEAD_NAME}" content="([^"]*)">`).exec(text.slice(0, 16_384)) ?? [];
  const value = parseJsonObject(unescapeHtml(content));
  const [namespace, name, uid, version] = ['namespace', 'name', 'uid', 'version'].map((key) => stringAt(value, key));
  if (namespace === undefined || name === undefined || uid === undefined || version === undefined) return undefined;
  // They are printed, and must not steer a terminal.
  if (/\p{Cc}/u.test(namespace + name + uid + version)) return undefined;
  const signature = isJsonObject(value?.signature) ? signatureIn(value.signature) : undefined;
  return { namespace, name, uid, version, takenAt: stringAt(value, 'takenAt'), signature };
}

function signatureIn(value: JsonObject): RunSignature {
  return { keyId: stringAt(value, 'keyId') ?? '', value: stringAt(value, 'value') ?? '' };
}

/** Why a snapshot of a signed run is not what was signed, as a sentence that begins with the part; undefined when it is. Needs no cluster. */
export function signedSnapshotProblem(
  text: string,
  head: SnapshotHead,
  { keys, version }: { readonly keys: SignatureCheck; readonly version: string },
): string | undefined {
  const { signature } = head;
  if (signature === undefined) return `No signature: run ${placeText(head)} in the file is not signed.`;
  const signed = { ...readSignedData(text), signature };
  const problem = signatureProblem(signed, keys);
  if (problem !== undefined) return problem;
  if (signedSnapshotHtml(signed, version) === text) return undefined;
  return head.version === version
    ? 'The page was changed: it does not say what the signed data in the file says.'
    : `The page cannot be compared: the signed data in the file is unchanged, but the file says that Bravo ${head.version} made the page, and this is ${version}, which may write it differently. Check it with that version.`;
}

/** What is wrong with a snapshot of a run, as a sentence; undefined when it is what the cluster says. */
export function snapshotProblem(text: string, head: SnapshotHead, source: SnapshotSource): string | undefined {
  const { run, version } = source;
  if (run.metadata.uid !== head.uid)
    return `run ${placeText(head)} of the cluster is another one (uid ${run.metadata.uid}, not ${head.uid})`;
  if (head.takenAt !== undefined)
    return `the snapshot of run ${placeText(head)} was taken while the run was under way, so nothing keeps what it was then`;
  if (text === snapshotHtml(source)) return undefined;
  const other = `the snapshot is not what the cluster says about run ${placeText(head)}`;
  return head.version === version
    ? `${other}: the file, or the record of the run, was changed`
    : `${other}. It was made by Bravo ${head.version} and this is ${version}, which may write it differently: check it with that version`;
}

function placeOf(run: PlanRun) {
  return { namespace: namespaceOf(run), name: nameOf(run), uid: run.metadata.uid ?? '' };
}

function placeText({ namespace, name }: SnapshotHead): string {
  return `${namespace}/${name}`;
}
