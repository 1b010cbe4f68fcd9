/** Times as Kubernetes writes them. */

/** RFC 3339 with whole seconds, as `metav1.Time`: `2026-01-02T03:04:05Z`. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** RFC 3339 with microseconds, as `metav1.MicroTime`: `2026-01-02T03:04:05.678000Z`. */
export function rfc3339Micro(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}

/** Milliseconds since 1970, or undefined when the text is not a time. */
export function parseRfc3339(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
