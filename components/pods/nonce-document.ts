import { pageNonce } from '@/components/ui/yaml-editor/page-nonce';

/** Makes elements of the page; `style` elements with its nonce, as its content security policy takes no others. */
function createElement(name: string, options?: ElementCreationOptions): HTMLElement {
  const element: HTMLElement = Document.prototype.createElement.call(document, name, options);
  if (name === 'style') element.nonce = pageNonce();
  return element;
}

/** The document for xterm.js, which makes its style sheets by itself. Methods are those of the real document. */
export function nonceDocument(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** Runs what makes style sheets with the real document in spite of {@link nonceDocument}: the scrollbar of xterm.js 6.0 does. */
export function withNonces(make: () => void): void {
  Object.defineProperty(document, 'createElement', { configurable: true, value: createElement });
  try {
    make();
  } finally {
    // The method of the prototype again.
    Reflect.deleteProperty(document, 'createElement');
  }
}
