import { formatTime } from '@/lib/clock/clock';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isOver, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { RunRecord } from '@/lib/kudo/runs/record-format';
import { escapeHtml } from '@/lib/template/functions/escape';
import { html } from './html';
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

/** A run as it is shown in a file. */
export interface SnapshotSource {
  readonly run: PlanRun;
  /** Undefined when the run has none, or none yet. */
  readonly record: RunRecord | undefined;
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
}

const HEAD_NAME = 'bravo-run-snapshot';
const FORMAT = '1';

/**
 * A run as one HTML document without scripts and without requests: it says so to the browser by its policy, and every text in it is escaped.
 * Of a run that is over it depends on the run, its record and the version of Bravo alone, so that whoever may read these can make it
 * again and compare. Secret values are fingerprints in the record already.
 */
export function snapshotHtml({ run, record, version, nowMs }: SnapshotSource): string {
  const takenAt = isOver(run.status?.status) ? undefined : formatTime(nowMs);
  const head = { format: FORMAT, ...placeOf(run), version, ...(takenAt === undefined ? {} : { takenAt }) };
  const what = takenAt === undefined ? 'the run is over' : `taken at ${takenAt}, while the run was under way`;
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
<footer>Snapshot by Bravo ${version}: ${what}. To check that nothing in it was changed: <code>bravo run verify-snapshot FILE</code></footer>
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
  return { namespace, name, uid, version, takenAt: stringAt(value, 'takenAt') };
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

function unescapeHtml(text: string): string {
  const characters = ['<', '>', '"', "'", '&'];
  return characters.reduce((done, character) => done.replaceAll(escapeHtml(character), character), text);
}
