'use client';

import { useMemo } from 'react';
import { useKinds } from '@/components/resources/use-kinds';
import { apiVersionsIn, useSchemas } from '@/components/resources/use-schemas';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { type Knowledge, packageNames } from '@/lib/workshop/package-names';
import type { Checks } from './use-checks';

/** What completion and hover know: the package as it was read last, the cluster's kinds, and the schemas of those in the open file. */
export function useKnowledge(files: PackageFiles, text: string, { objects, functions }: Checks): Knowledge {
  const kinds = useKinds() ?? NO_KINDS;
  const schemaOf = useSchemas(apiVersionsIn(text));
  const names = useMemo(() => packageNames(objects?.operatorVersion, files), [objects, files]);
  return useMemo(() => ({ ...names, functions, kinds, schemaOf }), [names, functions, kinds, schemaOf]);
}

const NO_KINDS: Knowledge['kinds'] = [];
