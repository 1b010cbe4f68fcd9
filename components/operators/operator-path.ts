/** The address of a version of an operator. */
export function operatorPath(name: string, key: string): string {
  return `/operators/${encodeURIComponent(name)}/${encodeURIComponent(key)}`;
}

/** The address where a copy of that version is edited. */
export function forkPath(name: string, key: string): string {
  return `/workshop?${new URLSearchParams({ fork: name, version: key })}`;
}

/** The address where that version is installed. */
export function installPath(name: string, key: string): string {
  return `/install?${new URLSearchParams({ operator: name, version: key })}`;
}

/** The page that plans and follows upgrades of an operator's Instances. */
export function upgradePath(name: string, namespace?: string): string {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`;
  return `/operators/${encodeURIComponent(name)}/upgrade${query}`;
}
