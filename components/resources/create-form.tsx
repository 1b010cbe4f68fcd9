'use client';

import { useId, useMemo, useState } from 'react';
import { Select } from '@/components/ui/input';
import { getAt, stringAt } from '@/lib/json/json';
import type { FormProblem } from '@/lib/schema/form/form-problems';
import { splitYamlText, type YamlPart } from '@/lib/yaml/split-documents';
import { readYaml } from '@/lib/yaml/yaml';
import { FormOrReason } from './form/form-or-reason';
import type { CreateDraft } from './use-create-draft';

/** The form of one document of the text; of several documents a list chooses which. */
export function CreateForm({ draft }: { draft: CreateDraft }) {
  const id = useId();
  const parts = useMemo(() => documentsOf(draft.text), [draft.text]);
  const [wanted, setWanted] = useState(0);
  const at = Math.min(wanted, parts.length - 1);
  const part = parts[at];
  if (part === undefined) return <p className="p-4 text-ink-2">The text has no object. Write one in the YAML view.</p>;
  const change = (text: string) => {
    const end = part.from + part.text.length;
    const isOpen = end < draft.text.length && !text.endsWith('\n');
    draft.change(`${draft.text.slice(0, part.from)}${text}${isOpen ? '\n' : ''}${draft.text.slice(end)}`);
  };
  return (
    <>
      {parts.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
          <label htmlFor={id} className="font-medium">
            Object
          </label>
          <Select
            id={id}
            className="max-w-[360px]"
            value={at}
            onChange={({ target }) => setWanted(Number(target.value))}
          >
            {parts.map(({ from, title }, index) => (
              <option key={from} value={index}>
                {index + 1}. {title}
              </option>
            ))}
          </Select>
        </div>
      )}
      <FormOrReason
        key={at}
        apiVersion={part.apiVersion}
        kind={part.kind}
        text={part.text}
        onChange={change}
        old={undefined}
        readOnly={undefined}
        causes={causesOf(draft, at)}
        onProblems={draft.setProblems}
      />
    </>
  );
}

interface NamedPart extends YamlPart {
  readonly apiVersion: string;
  readonly kind: string;
  readonly title: string;
}

/** The documents of a text that hold something. */
function documentsOf(text: string): NamedPart[] {
  return splitYamlText(text).flatMap((part): NamedPart[] => {
    const read = readYaml(part.text);
    const value = read.ok ? read.value : undefined;
    if (value === null) return [];
    const kind = stringAt(value, 'kind') ?? '';
    const name = getAt(value, 'metadata', 'name');
    const title = value === undefined ? 'text that cannot be read' : `${kind} ${typeof name === 'string' ? name : ''}`;
    return [{ ...part, apiVersion: stringAt(value, 'apiVersion') ?? '', kind, title }];
  });
}

const NONE: readonly FormProblem[] = [];

function causesOf(draft: CreateDraft, at: number): readonly FormProblem[] {
  return draft.outcomes[at]?.causes ?? NONE;
}
