import { useEffect } from 'react';
import { withBasePath } from '@/components/ui/base-path';
import { titleWithBadge } from './title-badge';

const MARKED_ICON = withBasePath('/icon-attention.svg');

/** Shows a number in the title of the tab, also when a page changes the title, and a dot in its icon; nothing for 0. */
export function useBadge(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const mark = () => {
      const wanted = titleWithBadge(document.title, count);
      if (document.title !== wanted) document.title = wanted;
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    const restoreIcons = markIcons();
    return () => {
      observer.disconnect();
      document.title = titleWithBadge(document.title, 0);
      restoreIcons();
    };
  }, [count]);
}

/** Changes every icon of the page; the result changes them back. */
function markIcons(): () => void {
  const icons = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')];
  const before = icons.map((icon) => icon.href);
  for (const icon of icons) icon.href = MARKED_ICON;
  return () => {
    for (const [index, icon] of icons.entries()) icon.href = before[index] ?? icon.href;
  };
}
