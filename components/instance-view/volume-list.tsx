import type { VolumeFate } from '@/lib/kudo/view/volume-fate';

/** PersistentVolumeClaims with their size, and why each of them goes or stays. */
export function VolumeList({ volumes }: { volumes: readonly VolumeFate[] }) {
  return (
    <ul className="grid gap-0.5 text-ink-2">
      {volumes.map(({ name, size, growsTo, because }) => (
        <li key={name}>
          <code className="text-ink">{name}</code> {size !== '' && <span className="num">{size}</span>}
          {growsTo !== undefined && <span className="num"> → {growsTo}</span>}
          <span className="block text-xs">{because}</span>
        </li>
      ))}
    </ul>
  );
}

/** `1 volume is deleted with its data`, `2 volumes stay`. */
export function volumeTitle(count: number, goes: boolean): string {
  if (count === 1) return goes ? '1 volume is deleted with its data' : '1 volume stays';
  return goes ? `${count} volumes are deleted with their data` : `${count} volumes stay`;
}

/** `1 volume grows`, `3 volumes grow`. */
export function growingTitle(count: number): string {
  return count === 1 ? '1 volume grows' : `${count} volumes grow`;
}
