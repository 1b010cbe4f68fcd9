'use client';

import { Share2 } from 'lucide-react';
import { copyWithToast } from '@/components/ui/copy-as-menu';
import { Menu } from '@/components/ui/menu';
import { saveFile } from '@/components/ui/save-file';
import { changeTexts, type ManifestChange } from '@/lib/kudo/commands/change-texts';
import type { KnownOwner } from './use-reversals';

/** Gives a change as text for a terminal, a repository or a pull request, instead of making it here. */
export function TakeElsewhere({
  change,
  owner,
  kubectl,
}: {
  change: ManifestChange;
  owner: KnownOwner | undefined;
  /** The command, when there is a better one than `kubectl patch`. */
  kubectl?: string | undefined;
}) {
  const texts = () => changeTexts(change, owner);
  const copy = (name: string, text: string) => copyWithToast(text, `Copied as ${name}: ${change.title}`);
  return (
    <Menu
      label="Export the change"
      className="btn"
      trigger={
        <>
          <Share2 size={14} aria-hidden="true" />
          Export
        </>
      }
      entries={[
        {
          key: 'pull',
          label: 'Copy text of a pull request',
          onSelect: () => copy('pull request', texts().pullRequest),
        },
        { key: 'manifest', label: 'Copy the changed manifest', onSelect: () => copy('manifest', texts().manifest) },
        {
          key: 'file',
          label: 'Download the changed manifest',
          onSelect: () => saveFile(texts().manifest, texts().fileName, 'application/yaml'),
        },
        { key: 'kubectl', label: 'Copy as kubectl', onSelect: () => copy('kubectl', kubectl ?? texts().kubectl) },
        { key: 'patch', label: 'Copy as patch', onSelect: () => copy('patch', texts().patch) },
      ]}
    />
  );
}
