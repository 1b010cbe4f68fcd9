/** True when more can be limited than asked for; what a device offers is given whole. */
export function allowsOvercommit(name: string): boolean {
  return isNative(name) && !name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
