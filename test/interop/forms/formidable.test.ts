import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import formidable from 'formidable';
import { afterAll, beforeAll, test } from 'vitest';
import { clientOn, onBothEngines } from '../../support/engines.js';
import { formServer } from '../../support/form-server.js';
import { jpeg, pf } from '../../support/onboarding.js';
import { byName, type ParsedPart, sha256 } from '../../support/parsed-form.js';
import { closedAfterEach } from '../../support/resources.js';
import { awkwardNames, expectName, expectUnchanged, sources } from '../../support/upload-cases.js';

const opens = closedAfterEach();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formidable-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Parses with Formidable, which reads from a real request. */
async function withFormidable(body: Buffer, contentType: string): Promise<ParsedPart[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forms-'));
  const parts: ParsedPart[] = [];
  const server = createServer(async (request, response) => {
    const [fields, files] = await formidable({
      uploadDir: folder,
      allowEmptyFiles: true,
      minFileSize: 0,
    }).parse(request);
    for (const [name, values] of Object.entries(fields))
      for (const text of values ?? []) parts.push({ name, text: text ?? '' });
    for (const [name, values] of Object.entries(files)) {
      for (const { filepath, originalFilename, mimetype } of values ?? []) {
        const file = {
          filename: originalFilename ?? '',
          contentType: mimetype ?? '',
          sha256: sha256(await readFile(filepath)),
        };
        parts.push({ name, file });
      }
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'content-type': contentType },
  });
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
  return byName(parts);
}

onBothEngines((engine) => {
  const upload = async (form: Record<string, unknown>) => {
    const server = opens(await formServer());
    const platform = opens(clientOn(engine, server.url));
    await platform.onboarding.submitPf({ ...pf, ...form } as never);
    const [request] = server.received;
    if (request === undefined) throw new Error('nothing was sent');
    return withFormidable(request.body, request.headers['content-type'] ?? '');
  };

  test.each(awkwardNames)('formidable reads the file name %j as %j (row 48)', async (filename, read) => {
    expectName(await upload({ selfie: { content: jpeg, filename } }), read);
  });

  const path = async (name: string, content: Uint8Array) => {
    const at = join(folder, `${engine}-${name}`);
    await writeFile(at, content);
    return at;
  };

  test.each(Object.entries(sources(path)))(
    'formidable reads an upload from %s unchanged',
    async (_, make) => {
      expectUnchanged(await upload({ selfie: await make() }));
    },
  );
});
