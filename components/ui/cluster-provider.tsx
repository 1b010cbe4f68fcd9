'use client';

import { createContext, type ReactNode, useContext } from 'react';

const ClusterContext = createContext<string | undefined>(undefined);

/** Says for which cluster the page is, on the server and in the browser alike. Used once, in the layout of the console. */
export function ClusterProvider({ name, children }: { name: string | undefined; children: ReactNode }) {
  return <ClusterContext value={name}>{children}</ClusterContext>;
}

/** The name of the page's cluster in addresses; undefined for the home cluster. It is constant for the life of a page. */
export function useClusterName(): string | undefined {
  return useContext(ClusterContext);
}
