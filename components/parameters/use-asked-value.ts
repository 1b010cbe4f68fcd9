'use client';

import { useEffect, useRef } from 'react';
import { replaceAddress } from '@/components/live/address';
import { usePathname, useSearchParams } from '@/components/ui/navigation';
import { showToast } from '@/components/ui/toast';
import type { ParameterEditing } from './use-parameter-draft';

/**
 * Puts the value that the address asks for (`?set=REPLICAS&to=5`, from the palette) into the draft; nothing is applied. The address loses the question,
 * so that a reload does not undo what the person typed since.
 */
export function useAskedValue({ groups, change }: Pick<ParameterEditing, 'groups' | 'change'>): void {
  const path = usePathname();
  const params = useSearchParams();
  const [name, to] = [params.get('set'), params.get('to')];
  const asked = useRef<string>(undefined);
  useEffect(() => {
    const key = `${name}=${to}`;
    if (name === null || groups.length === 0 || asked.current === key) return;
    asked.current = key;
    replaceAddress(path);
    const field = groups.flatMap(({ fields }) => fields).find((each) => each.name === name);
    const problem = field === undefined ? 'This version of the operator has no such parameter.' : field.lockedBecause;
    if (problem !== undefined)
      showToast({ tone: 'fail', title: `Parameter ${name} was not filled in`, detail: problem });
    else if (to !== null && field?.isSecret === false) change(name, to);
  }, [name, to, path, groups, change]);
}
