/** A value of a parameter as a run records it; undefined is the default. A secret value is a fingerprint, which says only whether it changed. */
export function RecordedValue({ value, isSecret }: { value: string | undefined; isSecret: boolean }) {
  if (value === undefined) return <span className="text-ink-3">default</span>;
  if (isSecret) return <span className="text-ink-2">secret value</span>;
  if (value === '') return <span className="text-ink-3">empty</span>;
  return <code className="whitespace-pre-wrap break-all">{value.trimEnd()}</code>;
}
