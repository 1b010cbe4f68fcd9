'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { RepositoryDraft, RepositoryInfo } from '@/lib/kudo/repository/repository-info';
import { RepositoryChecks } from './repository-checks';
import { RepositoryFields } from './repository-fields';
import { useSaveRepository } from './use-save-repository';

/** Adds or changes a repository, which is tested first. */
export function RepositoryDialog({
  edited,
  onClose,
}: {
  edited: RepositoryInfo | 'new' | undefined;
  onClose: () => void;
}) {
  const title = edited === undefined || edited === 'new' ? 'Add a repository' : `Edit ${edited.name}`;
  return (
    <Dialog open={edited !== undefined} onClose={onClose} title={title} wide>
      {edited !== undefined && (
        <RepositoryForm title={title} info={edited === 'new' ? undefined : edited} onClose={onClose} />
      )}
    </Dialog>
  );
}

function RepositoryForm({
  title,
  info,
  onClose,
}: {
  title: string;
  info: RepositoryInfo | undefined;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState<RepositoryDraft>(() => draftOf(info));
  const { test, save, answer, reset } = useSaveRepository(draft, info === undefined, onClose);
  const isTested = answer?.checks.every(({ ok }) => ok) === true;
  const failure = save.error ?? test.error ?? undefined;
  const block = blockOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (block !== undefined || test.isPending || save.isPending) return;
    if (isTested) save.mutate();
    else test.mutate();
  };
  return (
    <form className="grid gap-4" onSubmit={submit} aria-label={title}>
      <RepositoryFields
        draft={draft}
        hasStored={info?.hasCredentials === true}
        isNew={info === undefined}
        causes={failure?.causes ?? []}
        onChange={(change) => {
          setDraft({ ...draft, ...change });
          // What was tested is not what is in the form any more.
          reset();
        }}
      />
      <RepositoryChecks checks={answer?.checks ?? []} failure={failure} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="me-auto basis-60 text-ink-2 text-xs">
          It is saved as a ConfigMap of the console’s namespace, credentials as a Secret, with your permissions.
        </p>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={isTested ? 'default' : 'primary'}
          busy={test.isPending}
          disabledReason={block ?? (isTested ? 'The test passed.' : undefined)}
        >
          Test
        </Button>
        <Button
          type={isTested ? 'submit' : 'button'}
          variant={isTested ? 'primary' : 'default'}
          busy={save.isPending}
          disabledReason={isTested ? undefined : 'Test the repository first. All checks have to pass.'}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

function draftOf(info: RepositoryInfo | undefined): RepositoryDraft {
  return {
    name: info?.name ?? '',
    url: info?.url ?? '',
    signatureKeys: (info?.signatureKeys ?? []).join(''),
    operators: (info?.operators ?? []).join(' '),
    isPlainHttp: info?.isPlainHttp ?? false,
    username: '',
    password: '',
    keepsCredentials: info?.hasCredentials ?? false,
  };
}

/** Why the form cannot be tested; undefined when it can. */
function blockOf({ name, url }: RepositoryDraft): string | undefined {
  if (name === '') return 'Give the repository a name.';
  return url === '' ? 'Give the address of the repository.' : undefined;
}
