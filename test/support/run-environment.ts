import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'test-run-';

/**
 * Gives the tests' processes their own temporary folder, so that a test that is skipped or killed leaves no files
 * behind, and output without colors, which CI and terminals decide differently.
 */
export default function prepareEnvironment(): (() => void) | undefined {
  // Vitest calls this once per project. A folder inside a folder has too long a path for Chromium's socket.
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // Servers that tests start as another user, such as pgbouncer, read their files in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
  return () => rmSync(folder, { recursive: true, force: true });
}
