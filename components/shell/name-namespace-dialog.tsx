'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NAMESPACE_PATTERN } from './preference-cookies';

/** For a person who may not list namespaces: asks for the name of the one to show. */
export function NameNamespaceDialog({
  open,
  onClose,
  onName,
}: {
  open: boolean;
  onClose: () => void;
  onName: (namespace: string) => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Enter the name of a namespace">
      <NameForm onClose={onClose} onName={onName} />
    </Dialog>
  );
}

function NameForm({ onClose, onName }: { onClose: () => void; onName: (namespace: string) => void }) {
  const [name, setName] = useState('');
  const isName = NAMESPACE_PATTERN.test(name);
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isName) return;
        onName(name);
        onClose();
      }}
    >
      <Field
        label="Namespace"
        hint="You may not list the namespaces of this cluster. Lists then show what you may read in this namespace."
        error={name === '' || isName ? undefined : 'Use lower-case letters, digits and dashes, at most 63 characters.'}
      >
        {(field) => (
          <Input {...field} mono data-first-focus value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabledReason={isName ? undefined : 'Enter a name first.'}>
          Show namespace
        </Button>
      </div>
    </form>
  );
}
