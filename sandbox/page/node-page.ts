import type { PageFiles } from './page-files.js';

/** The page loads only the sandbox's files, and runs no other script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
</head>
<body><div id="page"></div><noscript>The page of the sandbox needs JavaScript. Without it, use the API under /_sandbox/.</noscript></body>
</html>
`;

// Built on the first visit, because a sandbox in a test never has visitors.
let built: Promise<PageFiles> | undefined;

const listFiles = () => {
  built ??= import('./page-files.js').then(({ pageFiles }) => pageFiles());
  return built;
};

const respond = (body: string, type: string) =>
  new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  });

/** By their paths below `/_sandbox`. */
export const page: Readonly<Record<string, () => Response | Promise<Response>>> = {
  '/': () => respond(html, 'text/html'),
  '/page.js': async () => respond((await listFiles()).script, 'text/javascript'),
  '/page.css': async () => respond((await listFiles()).style, 'text/css'),
};
