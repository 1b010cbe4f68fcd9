import type { Page } from 'playwright';

/** Every warning, error and uncaught exception of the browser from now on, a line each; the list grows. */
export function watchComplaints(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser logs the 404 of a page that does not exist.
    const isMissingPage = message.text().includes('404') && message.location().url === page.url();
    if (!isMissingPage && (message.type() === 'error' || message.type() === 'warning'))
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  return complaints;
}
