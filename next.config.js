/**
 * Next only renders pages and runs routes here: our own server (server/main) holds it.
 * Types are checked once, by `npm run check`, so the build does not check them again.
 *
 * @type {import('next').NextConfig}
 */
const config = {
  // A second server beside a running one needs a folder of its own.
  // Next puts it into the pages when they are built (README: BRAVO_BASE_PATH).
  basePath: process.env.BRAVO_BASE_PATH || '',
  env: { BRAVO_BASE_PATH: process.env.BRAVO_BASE_PATH || '' },
  distDir: process.env.BRAVO_NEXT_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  devIndicators: false,
  typescript: { ignoreBuildErrors: true },
  // Loading all pages before the first request takes a second of the start: a page is loaded when it is asked for first, and what all
  // share soon after the start (server/runtime/pages.ts).
  experimental: { preloadEntriesOnStart: false },
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ['libsql', 'pino', 'undici', '@kubernetes/client-node', 'prom-client', 'ws'],
};

export default config;
