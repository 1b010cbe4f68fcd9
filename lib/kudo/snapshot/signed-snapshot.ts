import { type JsonObject, parseJsonObject } from '@/lib/json/json';
import type { PlanRun, RunSignature } from '@/lib/kudo/runs/plan-run';
import { sha256Of, shownRecordText } from '@/lib/kudo/runs/shown-record';
import { runOfSignedText, signedText } from '@/lib/kudo/runs/signed-run';
import { type Html, html } from './html';
import { unescapeHtml } from './unescape-html';

/** Everything that a snapshot of a signed run is made of: the same data always gives the same file. */
export interface SignedRun {
  /** What was signed (`signed-run`). */
  readonly text: string;
  /** The record as far as it is shown (`shown-record`); empty when there is none. */
  readonly recordText: string;
  readonly signature: RunSignature;
}

/** Public keys. */
export interface SignatureCheck {
  has(keyId: string): boolean;
  /** True when that key signed the text. */
  verify(text: string, signature: RunSignature): boolean;
}

const RUN_ID = 'signed-run';
const RECORD_ID = 'signed-record';

/**
 * @param record the JSON in the Secret of its record; undefined when there is none
 * @returns undefined for a run that has no signature
 */
export function signedRunOf(run: PlanRun, record: JsonObject | undefined): SignedRun | undefined {
  const { signature } = run.status ?? {};
  if (signature === undefined) return undefined;
  return { text: signedText(run), recordText: record === undefined ? '' : shownRecordText(record), signature };
}

/** The run and its record, as far as the signed texts say; undefined for texts that say no run. */
export function partsOf({ text, recordText }: SignedRun): { run: PlanRun; record: JsonObject | undefined } | undefined {
  const run = runOfSignedText(text);
  return run === undefined ? undefined : { run, record: parseJsonObject(recordText) };
}

/** The texts as a reader sees them, behind a heading that opens. Escaped, so nothing in them ends the element. */
export function signedData({ text, recordText }: SignedRun): Html {
  const record = recordText === '' ? undefined : html`\n<pre id="${RECORD_ID}">${recordText}</pre>`;
  return html`<details><summary>Signed data</summary>
<pre id="${RUN_ID}">${text}</pre>${record}
</details>`;
}

/** The texts in a snapshot; empty where it has none. */
export function readSignedData(page: string): Omit<SignedRun, 'signature'> {
  return { text: textIn(page, RUN_ID), recordText: textIn(page, RECORD_ID) };
}

function textIn(page: string, id: string): string {
  const mark = `<pre id="${id}">`;
  const start = page.lastIndexOf(mark);
  const end = page.indexOf('</pre>', start);
  return start < 0 || end < 0 ? '' : unescapeHtml(page.slice(start + mark.length, end));
}

/** Why the signature of a run does not hold, as a sentence; undefined when it does. */
export function signatureProblem({ text, recordText, signature }: SignedRun, keys: SignatureCheck): string | undefined {
  const { keyId = '' } = signature;
  if (!keys.has(keyId)) {
    const name = /^[0-9a-f]{64}$/.test(keyId) ? keyId : 'of a name that no key has';
    return `The key is unknown: the snapshot says that it was signed with key ${name}, which is not among the public keys.`;
  }
  if (!keys.verify(text, signature)) {
    return 'The data was changed: the signature is not of the run that is in the file.';
  }
  const { recordSha256 } = runOfSignedText(text)?.status ?? {};
  if (recordText === '' && recordSha256 === undefined) return undefined;
  if (recordText !== '' && sha256Of(recordText) === recordSha256) return undefined;
  return 'The data was changed: the record in the file is not the one of the signed run, or it is missing.';
}
