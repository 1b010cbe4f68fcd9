'use client';

import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { FRESH_PACKAGE, newPackageFiles } from '@/lib/kudo/package/new-package';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { openArchive, openFiles } from '@/lib/workshop/draft-archive';
import { loadPackageFiles } from './changes-panel';
import type { DraftOrigin } from './draft-db';

export type OpenDraft = (
  load: () => Promise<{ files: PackageFiles; leftOut?: readonly string[] }>,
  origin?: DraftOrigin,
) => Promise<void>;

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** A new package, as `bravo package new` writes it. */
export function NewCard({ onOpen }: { onOpen: OpenDraft }) {
  const [name, setName] = useState('');
  const problem = NAME.test(name) ? undefined : 'Use lower-case letters, digits and dashes.';
  return (
    <Way title="New package">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) void onOpen(async () => ({ files: newPackageFiles({ ...FRESH_PACKAGE, name }) }));
        }}
      >
        <Field label="Name of the operator" error={name === '' ? undefined : problem}>
          {(wiring) => (
            <Input
              {...wiring}
              mono
              spellCheck={false}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          className="justify-self-start"
          disabledReason={name === '' ? 'Enter a name to continue.' : problem}
        >
          Create
        </Button>
      </form>
    </Way>
  );
}

/** A package from this computer. */
export function OpenCard({ onOpen }: { onOpen: OpenDraft }) {
  const archive = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  return (
    <Way title="Open a package">
      <p className="text-ink-2">A .tgz file, or the folder of an operator. It stays in this browser.</p>
      <input
        ref={archive}
        type="file"
        accept=".tgz,.gz,application/gzip"
        aria-label="Package as .tgz"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void onOpen(async () => openArchive(new Uint8Array(await file.arrayBuffer())));
          target.value = '';
        }}
      />
      <input
        ref={folder}
        type="file"
        multiple
        aria-label="Folder of a package"
        className="sr-only"
        tabIndex={-1}
        {...{ webkitdirectory: '' }}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          if (files.length > 0) void onOpen(async () => openFiles(await Promise.all(files.map(readUpload))));
          target.value = '';
        }}
      />
      <span className="flex flex-wrap gap-2">
        <Button onClick={() => archive.current?.click()}>Choose a .tgz…</Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder…</Button>
      </span>
    </Way>
  );
}

async function readUpload(file: File) {
  return { path: file.webkitRelativePath || file.name, content: new Uint8Array(await file.arrayBuffer()) };
}

/** A copy of a package of the catalogue. */
export function ForkCard({ packages, onOpen }: { packages: readonly PackageSummary[]; onOpen: OpenDraft }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const wanted = packages[chosen];
  return (
    <Way title="Fork an operator">
      <label htmlFor={id} className="font-medium">
        Operator and version
      </label>
      <Select id={id} mono value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
        {packages.map(({ name, key }, index) => (
          <option key={`${name} ${key}`} value={index}>
            {name} {key}
          </option>
        ))}
      </Select>
      <Button
        className="justify-self-start"
        disabledReason={wanted === undefined ? 'The catalogue is empty.' : undefined}
        onClick={() => {
          if (wanted === undefined) return;
          const { name, key } = wanted;
          void onOpen(async () => ({ files: await loadPackageFiles(name, key) }), { name, key });
        }}
      >
        Fork
      </Button>
    </Way>
  );
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="grid content-start gap-3 p-4">{children}</div>
    </Card>
  );
}
