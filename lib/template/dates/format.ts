import type { GoTime } from '../value/time';

export function formatRfc3339(time: GoTime): string {
  return String(time.seconds);
}
