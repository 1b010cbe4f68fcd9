const listeners = new Set<() => void>();

/** Tells that the server refused a request because the session has ended. */
export function reportSessionEnd(): void {
  for (const listener of listeners) listener();
}

/** Calls `then` when a request was refused because the session has ended. @returns ends that */
export function onSessionEnd(then: () => void): () => void {
  listeners.add(then);
  return () => listeners.delete(then);
}
