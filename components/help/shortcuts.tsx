import { Fragment } from 'react';
import { Kbd } from '@/components/ui/kbd';

/** Alternatives for the same action are separate entries of `keys`. */
interface Shortcut {
  readonly keys: readonly string[];
  readonly action: string;
}

const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K', '⌘ K'], action: 'Find a page, an instance, an operator, a kind or an action' },
  { keys: ['?'], action: 'Show what the guide says about the page, and this list' },
  { keys: ['Esc'], action: 'Close a dialog or a menu; clear a search field' },
  { keys: ['↑', '↓', 'Home', 'End'], action: 'Move in a menu or in the results of a search' },
  { keys: ['←', '→'], action: 'Choose another run in the grid of runs; change the width of a column at its edge' },
  { keys: ['Ctrl S', '⌘ S'], action: 'Save in the YAML editor' },
  { keys: ['Esc', 'Tab'], action: 'Leave the editor of the workshop, where Tab indents' },
  { keys: ['F2', 'Del'], action: 'Rename or delete a file of the workshop' },
];

/** Every shortcut of the console. */
export function ShortcutList() {
  return (
    <dl className="grid grid-cols-[minmax(112px,auto)_minmax(0,1fr)] gap-x-4 gap-y-2">
      {shortcuts.map(({ keys, action }) => (
        <Fragment key={action}>
          <dt className="flex flex-wrap items-start gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd className="text-ink-2">{action}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
