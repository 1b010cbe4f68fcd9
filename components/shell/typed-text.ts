/** Notes in which fields of the page somebody types, until `stop`. A field that is gone, empty, or a search is not counted. */
export function noteTyping(): { readonly hasText: () => boolean; readonly stop: () => void } {
  const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();
  const note = ({ target }: Event) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && target.type !== 'search') fields.add(target);
  };
  document.addEventListener('input', note, true);
  return {
    hasText: () => [...fields].some(({ isConnected, value }) => isConnected && value !== ''),
    stop: () => document.removeEventListener('input', note, true),
  };
}
