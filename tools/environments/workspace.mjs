// A temporary folder with the tarball, and the projects that install it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pack } from '../package/pack.mjs';
import { checkPrinted, deliver, watchJourney } from './platform.mjs';
import { run } from './processes.mjs';
import { resultIn, resultLine } from './programs.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export class Workspace {
  #folder = mkdtempSync(join(tmpdir(), 'payment-platform-environments-'));
  #projects = new Map();
  #tarball;
  #sandbox;

  /** Packs the package, which must have been built. */
  pack() {
    if (!existsSync(join(root, 'dist/index.js')))
      throw new Error('There is no dist/: run npm run build first.');
    this.#tarball = join(this.#folder, pack(root, this.#folder).filename);
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  }

  /**
   * Creates a project with the tarball and other packages. Rows with the same name share it.
   *
   * @param packages the packages to install, by name: versions, or addresses such as `npm:other@1.0.0`
   */
  project(packages = {}, name = JSON.stringify(packages)) {
    const known = this.#projects.get(name);
    if (known !== undefined) return known;
    const installing = this.#install(join(this.#folder, `project-${this.#projects.size}`), packages);
    this.#projects.set(name, installing);
    return installing;
  }

  async #install(folder, packages) {
    const dependencies = { 'payment-platform': `file:${this.#tarball}`, ...packages };
    this.write(folder, { 'package.json': JSON.stringify({ name: 'project', private: true, dependencies }) });
    const options = ['--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    try {
      await run('npm', ['install', ...options], { cwd: folder, seconds: 600 });
    } catch (error) {
      throw new Error(`npm install failed: ${error.message}`);
    }
    return folder;
  }

  /** Creates a folder that cannot reach any package: bundles must be complete. */
  bare() {
    return mkdtempSync(join(this.#folder, 'bare-'));
  }

  /** Writes a program to a new folder of a project. */
  program(project, files) {
    return this.write(mkdtempSync(join(project, 'program-')), files);
  }

  /** Writes a program's files by name. */
  write(folder, files) {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return folder;
  }

  /** Watches a journey. The platform's side also comes from the tarball, and runs in this process. */
  async watch(take, options) {
    return watchJourney(await this.#platform(), take, options);
  }

  #platform() {
    this.#sandbox ??= this.#loadSandbox();
    return this.#sandbox;
  }

  async #loadSandbox() {
    const folder = await this.project();
    const load = (file) => import(pathToFileURL(join(folder, 'node_modules/payment-platform/dist', file)));
    const [{ createSandbox }, { sign }] = await Promise.all([load('sandbox.js'), load('webhooks.js')]);
    const path = join(folder, 'document.txt');
    const bytes = Buffer.from('a document on the disk, ção\n'.repeat(500));
    writeFileSync(path, bytes);
    return { createSandbox, sign, document: { path, bytes } };
  }

  /** Watches a journey that a command runs. */
  command(command, args, { env, seconds, cwd }, options) {
    return this.watch(async (input) => {
      const journeyEnv = { ...env, JOURNEY: JSON.stringify(input) };
      const printed = await run(command, args, { cwd, seconds, env: journeyEnv });
      return { printed, result: resultIn(printed) };
    }, options);
  }

  /**
   * Watches a session that a server runs on request.
   *
   * @param receivers the same server's paths for deliveries
   */
  async request(server, url, receivers, options) {
    const expected = [];
    for (const receiver of receivers) expected.push(...(await deliver(await this.#platform(), receiver)));
    const engine = await this.#requestJourney(server, url, options);
    // This was printed before the journey, so it has been read.
    checkPrinted(server.printed(), expected);
    return engine;
  }

  #requestJourney(server, url, options) {
    return this.watch(async (input) => {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(60_000),
      });
      if (response.status !== 200) throw new Error(`${await response.text()}\n${server.printed()}`);
      await server.until(resultLine);
      return { printed: server.printed(), result: resultIn(server.printed()) };
    }, options);
  }

  /** Replaces this folder's path, which differs in every run. */
  withoutFolder(text) {
    return text.replaceAll(`${this.#folder}/`, '');
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
