'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '@/components/live/request';
import { type DestroyGuard, useDestroyGuard } from '@/components/ui/use-destroy-guard';
import type { CrdVerdict } from '@/lib/kudo/own-kinds/crd-verdict';
import { apiOf } from '@/lib/kudo/own-kinds/stored-api';
import type { PackageDetail } from '@/lib/kudo/package/catalogue';

/** The kinds that an operator brings, and what a person decides about them. */
export interface KindsChoice {
  readonly names: readonly string[];
  readonly isSkipped: boolean;
  skip(isSkipped: boolean): void;
  /** CRDs that belong to somebody else: they are replaced when their name is typed. */
  readonly foreign: readonly CrdVerdict[];
  readonly refused: readonly CrdVerdict[];
  /** What is typed to replace them: the CRD, or the API group of several. */
  readonly toType: string;
  readonly guard: DestroyGuard;
  /** For the request of the install. */
  readonly wish: { readonly skipCrds: boolean; readonly adoptCrds: readonly string[] };
  /** Why the install cannot begin. */
  readonly block: string | undefined;
}

/** Asks what an install would do with the CRDs of a package that brings kinds. */
export function useKindsChoice({ name, key, version }: PackageDetail): KindsChoice {
  const [isSkipped, skip] = useState(false);
  const names = apiOf(version).map(({ kind }) => kind);
  const { data } = useQuery({
    enabled: names.length > 0,
    queryKey: ['package-kinds', name, key],
    retry: false,
    queryFn: ({ signal }) =>
      request<{ kinds: readonly CrdVerdict[] }>(
        `/api/packages/${encodeURIComponent(name)}/${encodeURIComponent(key)}/kinds`,
        { signal },
      ),
  });
  const of = (verdict: CrdVerdict['do']) => (data?.kinds ?? []).filter((each) => each.do === verdict);
  const [foreign, refused] = [of('adopt'), of('refuse')];
  const [first] = foreign;
  const group = first?.crd.slice(first.crd.indexOf('.') + 1) ?? '';
  const toType = foreign.length === 1 ? (first?.crd ?? '') : group;
  const isAsked = foreign.length > 0 && refused.length === 0 && !isSkipped;
  const guard = useDestroyGuard(toType, isAsked);
  const refusal = refused.length === 0 ? undefined : 'The kinds cannot be installed. Uncheck them to continue.';
  return {
    names,
    isSkipped,
    skip,
    foreign,
    refused,
    toType,
    guard,
    wish: { skipCrds: isSkipped, adoptCrds: isAsked ? foreign.map(({ crd }) => crd) : [] },
    block: isSkipped ? undefined : (refusal ?? guard.block),
  };
}
