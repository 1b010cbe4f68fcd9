/**
 * True when React has taken an element over: it keeps the props of it there, under a name with a random end. No public function says so
 * (react-dom, ReactDOMComponentTree).
 */
export function isTakenOver(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactProps$'));
}

/** The elements of the server's HTML that no script has taken over: those in a part of the page whose scripts are still loading. */
export function untaken(): Set<Element> {
  return new Set([...document.querySelectorAll('body :not(script)')].filter((element) => !isTakenOver(element)));
}
