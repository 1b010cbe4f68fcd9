'use client';

import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { rightsByAction } from '@/lib/kudo/view/action-rights';
import { type SubjectQuestion, useSubjectCheck } from './use-roles';
import { ViewAsButton } from './view-as-button';

/** Asks what another user or group may do in a namespace, as the API server decides. */
export function CheckSubject({ namespace }: { namespace: string | undefined }) {
  const [user, setUser] = useState('');
  const [groups, setGroups] = useState('');
  const [place, setPlace] = useState(namespace ?? '');
  const [question, setQuestion] = useState<SubjectQuestion | undefined>();
  const names = groups.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const block =
    user.trim() === '' && names.length === 0
      ? 'Enter a user or a group.'
      : place.trim() === ''
        ? 'Enter a namespace.'
        : undefined;
  return (
    <section aria-labelledby="check-subject" className="card mb-4 px-4 py-4">
      <h2 id="check-subject" className="font-semibold">
        What another user may do
      </h2>
      <form
        className="mt-3 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (block === undefined) setQuestion({ user: user.trim(), groups: names, namespace: place.trim() });
        }}
      >
        <Field label="User">
          {(wiring) => <Input {...wiring} value={user} onChange={(event) => setUser(event.target.value)} />}
        </Field>
        <Field label="Groups, separated by commas">
          {(wiring) => <Input {...wiring} value={groups} onChange={(event) => setGroups(event.target.value)} />}
        </Field>
        <Field label="Namespace">
          {(wiring) => <Input {...wiring} value={place} onChange={(event) => setPlace(event.target.value)} />}
        </Field>
        <Button type="submit" disabledReason={block}>
          Check
        </Button>
        <ViewAsButton user={user.trim()} groups={names} />
      </form>
      {question !== undefined && <Answer question={question} />}
    </section>
  );
}

function Answer({ question }: { question: SubjectQuestion }) {
  const { data, error } = useSubjectCheck(question);
  const who = [question.user, ...question.groups.map((group) => `group ${group}`)].filter((each) => each !== '');
  if (error !== null) {
    return (
      <div className="mt-3">
        <Notice tone="fail" title="The API server did not answer for another user" alert>
          {error.message}
        </Notice>
      </div>
    );
  }
  if (data === undefined) return <p className="mt-3 text-ink-2">Asking…</p>;
  return (
    <div className="mt-3" data-checked={question.user}>
      <p className="text-ink-2">
        {who.join(', ')} in namespace {question.namespace}:
      </p>
      <ul className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {Object.keys(rightsByAction).map((action) => (
          <Verdict key={action} action={action} isAllowed={data.actions[action as keyof typeof rightsByAction]} />
        ))}
      </ul>
    </div>
  );
}

function Verdict({ action, isAllowed }: { action: string; isAllowed: boolean | undefined }) {
  const Icon = isAllowed === true ? Check : X;
  return (
    <li className="flex items-center gap-2">
      <Icon size={15} aria-hidden="true" className={isAllowed === true ? 'text-ok' : 'text-fail'} />
      {action}
      <span className="sr-only">: {isAllowed === true ? 'yes' : 'no'}</span>
    </li>
  );
}
