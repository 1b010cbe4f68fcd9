/** `42s`, `3m20s`, `2h5m`; empty when it is not known. */
export function durationWords(ms: number | undefined): string {
  if (ms === undefined) return '';
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m${seconds % 60}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
