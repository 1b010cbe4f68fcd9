/** The address of an instance's page, or of one of its tabs. */
export function instancePath(namespace: string, name: string, tab = ''): string {
  const base = `/instances/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  return tab === '' ? base : `${base}/${tab}`;
}

/** The address of an instance's API routes; `rest` is for example `parameters` or `plans/backup`. */
export function instanceApiPath(namespace: string, name: string, rest = ''): string {
  return `/api${instancePath(namespace, name, rest)}`;
}
