'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { CLUSTER_NAME } from '@/lib/clusters/cluster-path';
import { kubeconfigContexts } from '@/lib/clusters/kubeconfig-contexts';
import { CheckList } from './check-list';
import { KubeconfigField } from './kubeconfig-field';
import { useAddCluster } from './use-add-cluster';

/** Adds a cluster by its kubeconfig, which is tested first. */
export function AddClusterDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Add a cluster" wide>
      <AddForm onClose={onClose} />
    </Dialog>
  );
}

const NAME_RULE = 'Use 1 to 63 of a–z, 0–9 and -, with a letter or digit at both ends.';

function AddForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const { contexts, current, problem } = kubeconfigContexts(text);
  const context = chosen !== undefined && contexts.includes(chosen) ? chosen : current;
  const { test, save, answer, reset } = useAddCluster({ name, kubeconfig: text, context }, onClose);
  const block = blockOf(name, text, problem);
  const isTested = answer?.checks.every(({ ok }) => ok) === true;
  /** What was tested is not what is in the form any more. */
  const change = (then: () => void) => {
    then();
    reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (block !== undefined || test.isPending || save.isPending) return;
    if (isTested) save.mutate();
    else test.mutate();
  };
  const failure = save.error ?? test.error;
  return (
    <form className="grid gap-4" onSubmit={submit} aria-label="Add a cluster">
      <Field
        label="Name"
        required
        hint={`In addresses: /c/${CLUSTER_NAME.test(name) ? name : 'NAME'}/instances. ${NAME_RULE}`}
        error={failure?.causes.find(({ field }) => field === 'name')?.message}
      >
        {(wiring) => (
          <Input
            {...wiring}
            data-first-focus=""
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => change(() => setName(event.target.value))}
          />
        )}
      </Field>
      <KubeconfigField
        text={text}
        problem={text === '' ? undefined : problem}
        onChange={(next) => change(() => setText(next))}
      />
      {contexts.length > 1 && (
        <Field label="Context" hint="Only this context is saved.">
          {(wiring) => (
            <Select {...wiring} value={context} onChange={(event) => change(() => setChosen(event.target.value))}>
              {contexts.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <CheckList checks={answer?.checks ?? []} failure={failure ?? undefined} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="me-auto basis-60 text-ink-2 text-xs">
          The kubeconfig is saved as a Secret of the home cluster, with your permissions.
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
          disabledReason={isTested ? undefined : 'Test the cluster first. All checks have to pass.'}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

/** Why the form cannot be tested; undefined when it can. */
function blockOf(name: string, text: string, problem: string | undefined): string | undefined {
  if (!CLUSTER_NAME.test(name)) return `Give the cluster a name. ${NAME_RULE}`;
  if (text.trim() === '') return 'Paste a kubeconfig, or choose its file.';
  return problem;
}
