'use client';

import { X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { type FormFieldProps, useFormScope } from './form-context';

/** Takes a field out of the object. Required fields have none, nor has what cannot change. */
export function RemoveButton({ path, member, locked }: Pick<FormFieldProps, 'path' | 'member' | 'locked'>) {
  const { edit, readOnly } = useFormScope();
  if (member.isRequired || !member.isSet || locked !== undefined || readOnly !== undefined) return null;
  return (
    <Button
      variant="quiet"
      size="small"
      iconOnly
      icon={<X size={14} aria-hidden="true" />}
      onClick={() => edit({ op: 'remove', path })}
    >
      {`Remove ${path.at(-1)}`}
    </Button>
  );
}
