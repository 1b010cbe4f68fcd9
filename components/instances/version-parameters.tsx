import type { ParameterDraft } from '@/components/parameters/parameter-draft';
import { ParameterSection } from '@/components/parameters/parameter-section';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { FormGroup } from '@/lib/kudo/view/form-model';
import { parameterMoves } from '@/lib/kudo/view/version-move';

/** How the parameters differ: new ones to fill in, removed ones with a word about their values, defaults that move. */
export function VersionParameters({
  from,
  to,
  groups,
  draft,
  problems,
  onChange,
}: {
  from: OperatorVersion;
  to: OperatorVersion;
  /** The new parameters as a form. */
  groups: readonly FormGroup[];
  draft: ParameterDraft;
  problems: ReadonlyMap<string, string>;
  onChange: (name: string, value: string | null | undefined) => void;
}) {
  const { added, removed, defaults } = parameterMoves(from, to);
  if (added.length + removed.length + defaults.length === 0) {
    return <p className="text-ink-2">Both versions have the same parameters and defaults.</p>;
  }
  return (
    <div className="grid gap-3">
      {groups.map((group) => (
        <ParameterSection
          key={group.name}
          isNew
          group={group}
          groups={groups}
          draft={draft}
          problems={problems}
          onChange={onChange}
        />
      ))}
      <ul className="grid gap-1 text-ink-2">
        {removed.length > 0 && (
          <li>Removed parameters: {removed.join(', ')}. Their values are removed with the change.</li>
        )}
        {defaults.map(([name, now, then]) => (
          <li key={name}>
            Default of {name}: <code>{now || 'empty'}</code> → <code>{then || 'empty'}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The new parameters of a version as one group of fields. */
export function newParameterGroups(groups: readonly FormGroup[], added: readonly string[]): FormGroup[] {
  const fields = groups.flatMap((group) => group.fields).filter(({ name }) => added.includes(name));
  return fields.length === 0 ? [] : [{ name: 'new', label: 'New parameters', fields }];
}
