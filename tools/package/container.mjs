import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';

/**
 * Repeats the container build and start of the packed examples/docker without Docker. An empty cache and
 * `--offline` leave npm only the tarball.
 *
 * @param {string} tarball its path
 * @param {string} work a folder for temporary files
 */
export async function checkContainer(tarball, work) {
  const root = mkdtempSync(join(work, 'container-'));
  for (const name of ['usr', 'cache', 'tmp', 'data']) mkdirSync(join(root, name));
  execFileSync('tar', ['-xzf', tarball, '-C', root, 'package/examples/docker']);
  const context = join(root, 'package/examples/docker');
  const dockerfile = readFileSync(join(context, 'Dockerfile'), 'utf8');
  const { command, healthcheck } = parse(readFileSync(join(context, 'compose.yaml'), 'utf8')).services
    .sandbox;
  const line = (pattern) => pattern.exec(dockerfile)?.[1] ?? '';
  /** Maps a path of the container to this machine. */
  const folders = { config: context, tmp: join(root, 'tmp'), data: join(root, 'data') };
  const here = (text) => text.replace(/^\/(config|tmp|data)(?=\/)/, (_, name) => folders[name]);
  const env = {
    ...process.env,
    PATH: `${join(root, 'usr/bin')}:${process.env.PATH}`,
    npm_config_prefix: join(root, 'usr'),
    npm_config_cache: join(root, 'cache'),
  };

  copyFileSync(tarball, here(line(/^COPY \S+ (\S+)$/m)));
  const [npm, ...install] = line(/^RUN (npm .*)$/m)
    .split(' ')
    .map(here);
  execFileSync(npm, [...install, '--silent'], { env });

  const [program, ...entry] = JSON.parse(line(/^ENTRYPOINT (.*)$/m));
  const args = [...entry, ...command].map(here);
  const sandbox = spawn(program, [...args, '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(sandbox, 'close');
  const isHealthy = (url) => {
    const [, check, ...checkArgs] = healthcheck.test;
    return spawnSync(check, checkArgs, { env: { ...env, PAYMENT_PLATFORM_BASE_URL: url } }).status === 0;
  };
  try {
    const [ready] = await Promise.race([once(createInterface({ input: sandbox.stdout }), 'line'), ended]);
    if (typeof ready !== 'string') throw new Error(`the sandbox ended with ${ready} before it was ready`);
    const { url } = JSON.parse(ready);
    if (!isHealthy(url)) throw new Error('the health check fails beside a running sandbox');
    sandbox.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`the sandbox ended with ${code}`);
    if (isHealthy(url)) throw new Error('the health check passes without a sandbox');
  } finally {
    sandbox.kill('SIGKILL');
  }
}
