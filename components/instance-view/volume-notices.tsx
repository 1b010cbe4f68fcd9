import { Notice } from '@/components/ui/notice';
import type { VolumeFate } from '@/lib/kudo/view/volume-fate';
import { growingTitle, VolumeList, volumeTitle } from './volume-list';

interface VolumeNoticesProps {
  /** Claims that are deleted with their data. */
  readonly going: readonly VolumeFate[];
  /** Claims that get a larger size. */
  readonly growing: readonly VolumeFate[];
}

/** Data that a plan deletes, and volumes that it grows. */
export function VolumeNotices({ going, growing }: VolumeNoticesProps) {
  return (
    <>
      {going.length > 0 && (
        <Notice tone="fail" title={volumeTitle(going.length, true)}>
          <VolumeList volumes={going} />
        </Notice>
      )}
      {growing.length > 0 && (
        <Notice tone="idle" title={growingTitle(growing.length)}>
          <VolumeList volumes={growing} />
        </Notice>
      )}
    </>
  );
}
