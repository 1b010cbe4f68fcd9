import { isJsonObject, type JsonValue, jsonEqual, parseJsonObject, stringAt } from '@/lib/json/json';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { PlanRun } from './plan-run';

/**
 * On a PlanRun: who wrote each field that steers it last, by the admission webhook. JSON: `{"by": {"paused": "jane", …}, "proof"}`.
 * The proof is a signature by the controllers' key, so that nobody can name somebody else where no webhook is asked.
 */
export const STEERED_BY_ANNOTATION = 'bravo.kudo.dev/steered-by';

const FIELDS = ['paused', 'cancelled', 'stopAfter', 'skip'] as const;
export type SteeringField = (typeof FIELDS)[number];

/** User names, of the fields that a person wrote. */
export type SteeringAuthors = { readonly [field in SteeringField]?: string };

/** A write of a PlanRun. */
export interface SteeringWrite {
  readonly stored: PlanRun;
  readonly sent: PlanRun;
  /** Who sends it, as the API server says. */
  readonly by: string | undefined;
}

/** The PlanRun as it is to be stored: with who steered it, whatever the annotation that was sent says. The same object where that is so already. */
export function withSteeringAuthor({ stored, sent, by }: SteeringWrite, fingerprints: Fingerprinter): PlanRun {
  const authors: { [field in SteeringField]?: string } = { ...steeringAuthors(stored, fingerprints) };
  for (const field of FIELDS) {
    if (jsonEqual(asJson(stored.spec?.[field]), asJson(sent.spec?.[field]))) continue;
    delete authors[field];
    if (by !== undefined && by !== '') authors[field] = by;
  }
  const { [STEERED_BY_ANNOTATION]: given, ...others } = sent.metadata.annotations ?? {};
  const wanted = Object.keys(authors).length === 0 ? undefined : textOf(stored, authors, fingerprints);
  if (given === wanted) return sent;
  const annotations = wanted === undefined ? others : { ...others, [STEERED_BY_ANNOTATION]: wanted };
  return { ...sent, metadata: { ...sent.metadata, annotations } };
}

/** Who wrote the fields that steer a run; nobody where no webhook was asked, and for a text that none of ours wrote. */
export function steeringAuthors(run: PlanRun, fingerprints: Fingerprinter): SteeringAuthors {
  const text = run.metadata.annotations?.[STEERED_BY_ANNOTATION] ?? '';
  const { by } = parseJsonObject(text) ?? {};
  if (!isJsonObject(by)) return {};
  const authors = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const name = stringAt(by, field);
      return name === undefined ? [] : [[field, name] as const];
    }),
  );
  return textOf(run, authors, fingerprints) === text ? authors : {};
}

function textOf({ metadata }: PlanRun, authors: SteeringAuthors, fingerprints: Fingerprinter): string {
  // In one order, whoever wrote first.
  const by = Object.fromEntries(
    FIELDS.flatMap((field) => (authors[field] === undefined ? [] : [[field, authors[field]]])),
  );
  const proof = fingerprints.signatureOf(`run ${metadata.uid ?? ''} is steered by ${JSON.stringify(by)}`);
  return JSON.stringify({ by, proof });
}

function asJson(value: unknown): JsonValue {
  return (value ?? null) as JsonValue;
}
