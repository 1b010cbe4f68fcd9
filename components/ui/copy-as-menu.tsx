'use client';

import { Copy } from 'lucide-react';
import type { CopiedCommands } from '@/lib/kudo/commands/copied-commands';
import { Menu, type MenuEntry } from './menu';
import { showToast } from './toast';

/** An action that can be copied; `what` names it. */
interface CopiedAction {
  readonly what: string;
  readonly commands: CopiedCommands;
}

const LOADING: readonly MenuEntry[] = [
  { key: 'loading', label: 'Loading…', disabledReason: 'The commands are being loaded', onSelect: () => undefined },
];

/** Copies what a button does as a command or as YAML. `what` names the action. Without commands, they are being loaded. */
export function CopyAsMenu({ what, commands }: { what: string; commands: CopiedCommands | undefined }) {
  return <CopyMenu entries={commands === undefined ? LOADING : entriesOf({ what, commands })} />;
}

/** Copies what one of some buttons beside it does; each has a heading of its own in the menu. */
export function CopyOneOfMenu({ actions }: { actions: readonly (CopiedAction & { readonly heading: string })[] }) {
  return <CopyMenu entries={actions.flatMap((action) => entriesOf(action, action.heading))} />;
}

function CopyMenu({ entries }: { entries: readonly MenuEntry[] }) {
  return (
    <Menu
      label="Copy as"
      className="btn !h-[26px] !px-[9px] !text-xs"
      trigger={
        <>
          <Copy size={14} aria-hidden="true" />
          Copy as
        </>
      }
      entries={entries}
    />
  );
}

function entriesOf({ what, commands }: CopiedAction, heading?: string): MenuEntry[] {
  const { kubectl, bravo, yaml } = commands;
  const isMissing = typeof bravo !== 'string';
  const copy = (name: string, text: string) => copyWithToast(text, `Copied as ${name}: ${what}`);
  const entries: MenuEntry[] = [
    { key: 'kubectl', label: 'kubectl', onSelect: () => copy('kubectl', kubectl) },
    {
      key: 'bravo',
      label: isMissing ? <Unavailable why={bravo.unavailable} /> : 'bravo',
      disabledReason: isMissing ? bravo.unavailable : undefined,
      onSelect: () => copy('bravo', isMissing ? '' : bravo),
    },
    { key: 'yaml', label: 'YAML', onSelect: () => copy('YAML', yaml) },
  ];
  return heading === undefined
    ? entries
    : entries.map((entry) => ({ ...entry, key: `${heading} ${entry.key}`, group: heading }));
}

/** Copies a text and says `done`, or that the browser refuses. */
export function copyWithToast(text: string, done: string): void {
  void copyText(text).then(
    () => showToast({ tone: 'ok', title: done }),
    () => showToast({ tone: 'fail', title: 'The browser does not let this page write to the clipboard' }),
  );
}

/** Rejects also where there is no clipboard: on pages of another computer without HTTPS. */
async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** A keyboard shows no title, so the reason is in the entry. */
function Unavailable({ why }: { why: string }) {
  return (
    <>
      bravo <span className="block text-xs">{why}</span>
    </>
  );
}
