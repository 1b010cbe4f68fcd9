/**
 * A link from outside: only https and http addresses become links, everything else stays text. It opens in a new tab, without a
 * referrer.
 */
export function SafeLink({ href }: { href: string }) {
  const url = safeUrl(href);
  if (url === undefined) return <span>{href}</span>;
  return (
    <a className="link text-accent" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {href}
    </a>
  );
}

/** The address in the browser's own spelling, or undefined when it must not be followed. */
export function safeUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isPlain ? url.href : undefined;
}
