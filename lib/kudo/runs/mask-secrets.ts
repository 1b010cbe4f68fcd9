import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { Health } from '@/lib/kube/health/verdict';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';

/** Shorter texts stand everywhere without being a secret. */
const LEAST_CHARS = 4;

export interface Masking {
  /** Values of secret parameters. */
  readonly texts: ReadonlySet<string>;
  readonly fingerprints: Pick<Fingerprinter, 'of'>;
}

/** An object or a patch of one, with fingerprints in place of the values of Secrets and of secret texts wherever they are. */
export function maskObject(value: JsonObject, kind: string, masking: Masking): JsonObject {
  const masked = maskValue(value, masking);
  if (!isJsonObject(masked)) return {};
  if (kind !== 'Secret') return masked;
  const fields = ['data', 'stringData'].flatMap((field) => {
    const texts = value[field];
    if (!isJsonObject(texts)) return [];
    const entries = Object.entries(texts).map(([key, text]) => [key, fingerprintOf(text, masking)] as const);
    return [[field, Object.fromEntries(entries)] as const];
  });
  return { ...masked, ...Object.fromEntries(fields) };
}

/** A text with fingerprints in place of the secret texts in it. */
export function maskText(text: string, { texts, fingerprints }: Masking): string {
  let masked = text;
  for (const secret of texts) {
    if (secret.length < LEAST_CHARS) {
      if (masked === secret) masked = fingerprints.of(secret);
    } else if (masked.includes(secret)) masked = masked.replaceAll(secret, fingerprints.of(secret));
  }
  return masked;
}

/** Evidence with fingerprints in place of the secret texts in sentences and log lines. */
export function maskEvidence(evidence: StepExplanation, masking: Masking): StepExplanation {
  const mask = (text: string) => maskText(text, masking);
  const maskHealth = <T extends { readonly health: Health }>(of: T) => {
    return { ...of, health: { ...of.health, message: mask(of.health.message) } };
  };
  return {
    ...evidence,
    objects: evidence.objects.map(maskHealth),
    pods: evidence.pods.map((pod) => {
      return { ...maskHealth(pod), message: mask(pod.message), logLines: pod.logLines.map(mask) };
    }),
    events: evidence.events.map((event) => ({ ...event, message: mask(event.message) })),
  };
}

function maskValue(value: JsonValue, masking: Masking): JsonValue {
  if (typeof value === 'string') return maskText(value, masking);
  if (Array.isArray(value)) return value.map((each) => maskValue(each, masking));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskValue(each, masking)]));
}

/** A value that a patch removes stays null. */
function fingerprintOf(value: JsonValue, { fingerprints }: Masking): JsonValue {
  return value === null ? null : fingerprints.of(typeof value === 'string' ? value : JSON.stringify(value));
}
