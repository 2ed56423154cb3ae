import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentPlatformError } from 'payment-platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { findFreePort } from '../../support/free-port.js';
import { pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

/** Sends a payment to a server that responds with a page, and returns the error. */
async function errorFrom(engine: 'node' | 'ky', url: string): Promise<PaymentPlatformError> {
  const platform = opens(clientOn(engine, url, { maxRetries: 0 }));
  return catchError<PaymentPlatformError>(platform.payments.create(pix, { idempotencyKey: 'order-1042' }));
}

const edgePage = (status: number, reason: string) => `<!DOCTYPE html>
<html class="no-js" lang="en-US"><head>
<title>api.platform.example | ${status}: ${reason}</title>
<meta charset="UTF-8" /><style>body{margin:0}</style></head>
<body><div id="cf-wrapper"><h1><span>${reason}</span><span>Error code ${status}</span></h1>
<p>Visit <a href="https://edge.example/">edge.example</a> for more information.</p>
<script>document.write("ray")</script></div></body></html>`;

interface Ports {
  readonly gateway: number;
  /** A port that nothing listens on. */
  readonly dead: number;
  /** The port of a server that accepts connections and never responds. */
  readonly silent: number;
}

type Page = readonly [path: string, status: number, quoted: RegExp, outcome: 'unknown' | 'not-executed'];

interface Gateway {
  readonly args: (file: string, folder: string) => string[];
  readonly configuration: (ports: Ports, folder: string) => string;
  readonly pages: readonly Page[];
}

/**
 * Lists the gateways with their arguments and configuration: `/dead`, `/silent`, `/large` and `/denied` fail
 * in four ways.
 */
const gateways: Readonly<Record<string, Gateway>> = {
  nginx: {
    args: (file: string, folder: string) => ['-c', file, '-p', folder, '-e', 'stderr'],
    configuration: ({ gateway, dead, silent }: Ports, folder: string) => `daemon off; master_process off;
      pid ${folder}/pid; events {} error_log stderr;
      http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
        fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        server { listen 127.0.0.1:${gateway};
          location /dead { proxy_pass http://127.0.0.1:${dead}; }
          location /silent { proxy_pass http://127.0.0.1:${silent}; proxy_read_timeout 50ms; }
          location /large { client_max_body_size 10; proxy_pass http://127.0.0.1:${dead}; }
          location /denied { deny all; } } }`,
    pages: [
      ['/dead', 502, /\(nginx\/[\d.]+\).* "502 Bad Gateway"/, 'unknown'],
      ['/silent', 504, /\(nginx\/[\d.]+\).* "504 Gateway Time-out"/, 'unknown'],
      ['/large', 413, /\(nginx\/[\d.]+\).* "413 Request Entity Too Large"/, 'not-executed'],
      ['/denied', 403, /\(nginx\/[\d.]+\).* "403 Forbidden"/, 'unknown'],
    ],
  },
  haproxy: {
    args: (file: string) => ['-q', '-db', '-f', file],
    configuration: ({ gateway, dead, silent }: Ports) => `defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 60s
  timeout server 50ms
frontend all
  bind 127.0.0.1:${gateway}
  http-request deny if { path_beg /denied }
  use_backend none if { path_beg /none }
  use_backend silent if { path_beg /silent }
  default_backend dead
backend none
backend dead
  server dead 127.0.0.1:${dead}
backend silent
  server silent 127.0.0.1:${silent}
`,
    pages: [
      ['/dead', 503, / "503 Service Unavailable"/, 'unknown'],
      ['/none', 503, / "503 Service Unavailable"/, 'unknown'],
      ['/silent', 504, / "504 Gateway Time-out"/, 'unknown'],
      ['/denied', 403, / "403 Forbidden"/, 'unknown'],
    ],
  },
};

const isInstalled = (program: string) => spawnSync(program, ['-v']).status === 0;

describe.each(Object.entries(gateways))(
  'the page of a real %s in an error',
  (program, { args, configuration, pages }) => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
    });
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    const ending = new AbortController();
    let url = '';
    beforeAll(async () => {
      if (!isInstalled(program)) return;
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const gateway = await findFreePort();
      url = `http://127.0.0.1:${gateway}`;
      // Nothing listens on port 1. Another process could start to listen on a port that was free.
      const ports = { gateway, dead: 1, silent: (silent.address() as AddressInfo).port };
      const file = join(folder, 'gateway.conf');
      writeFileSync(file, configuration(ports, folder));
      spawn(program, args(file, folder), { stdio: 'ignore', signal: ending.signal }).on(
        'error',
        () => undefined,
      );
      await eventually(() => fetch(url));
    });
    afterAll(() => {
      ending.abort();
      for (const socket of sockets) socket.destroy();
      silent.close();
      rmSync(folder, { recursive: true, force: true });
    });

    onBothEngines((engine) => {
      test.skipIf(!isInstalled(program)).each([...pages])(
        'is quoted once and on one line (path %s, status %s)',
        async (path, status, quoted, outcome) => {
          const error = await errorFrom(engine, url + path);
          expect(error).toMatchObject({ status, outcome });
          expect(error.message).toMatch(quoted);
          expect(error.message).toContain(`responded with a page (${status}), not the platform`);
          expect(error.message).not.toMatch(/[<>\n]/);
          expect(error.message.split('The page says')).toHaveLength(2);
        },
      );
    });
  },
);

onBothEngines((engine) => {
  test.each([
    [502, 'Bad gateway'],
    [521, 'Web server is down'],
    [524, 'A timeout occurred'],
  ])(
    'an error page from an edge network with the status %s is quoted once and on one line',
    async (status, reason) => {
      const headers = {
        server: 'cloudflare',
        'content-type': 'text/html; charset=UTF-8',
        'cf-ray': '8f2a91',
      };
      const page = formatResponse(edgePage(status, reason), { status, headers });
      const server = opens(await rawServer(({ socket }) => socket.end(page)));
      const error = await errorFrom(engine, server.url);
      expect(error.message).toBe(
        `payments.create: a gateway or proxy (cloudflare) responded with a page (${status}), not the platform. The page says: "api.platform.example | ${status}: ${reason}". The payment may exist. Call payments.reconcile with the same key (order-1042), not with a new one.`,
      );
    },
  );
});
