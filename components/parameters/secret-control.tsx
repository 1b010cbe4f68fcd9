'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { ParameterControlProps } from './parameter-control-props';

/** A secret: the stored value is never shown, it can only be replaced. */
export function SecretControl({ field, value, isDrafted, wiring, onChange }: ParameterControlProps) {
  const [isReplacing, setIsReplacing] = useState(!field.isSet);
  const [isVisible, setIsVisible] = useState(false);
  if (!isReplacing && !isDrafted) {
    return (
      <>
        <Input {...wiring} mono readOnly data-locked="true" className="max-w-[240px]" value="••••••••" />
        <Button onClick={() => setIsReplacing(true)}>Replace</Button>
      </>
    );
  }
  return (
    <>
      <Input
        {...wiring}
        mono
        type={isVisible ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        className="max-w-[320px]"
        placeholder={field.isSet ? 'New value' : undefined}
        value={isDrafted ? value : ''}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <Button variant="quiet" aria-pressed={isVisible} onClick={() => setIsVisible(!isVisible)}>
        {isVisible ? 'Hide' : 'Show'}
      </Button>
      {field.isSet && !isDrafted && (
        <Button variant="quiet" onClick={() => setIsReplacing(false)}>
          Keep the stored value
        </Button>
      )}
    </>
  );
}
