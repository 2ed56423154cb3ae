import { Buffer } from 'node:buffer';
import { responseOf } from 'payment-platform';
import { expect, test } from 'vitest';
import { getOperation, type OperationId } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import { findSchemas } from '../../src/contract/schemas.js';
import { wireForms } from '../operations/index.js';
import { clientOn, onBothEngines } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { sha256, withBusboy } from '../support/parsed-form.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

onBothEngines((engine) => {
  test.each(Object.entries(wireForms))('%s sends the documented request', async (id, form) => {
    const operation: Operation = getOperation(id as OperationId);
    // An operation without its own method is called through another operation.
    const isMethod = findSchemas(id as OperationId).through === undefined;
    const drift: unknown[] = [];
    const server = opens(await formServer((response) => json(response, 200, form.response)));
    const hooks = {
      onDrift: ({ operation, issues }: { operation: string; issues: unknown }) =>
        drift.push(operation, issues),
    };
    const platform = opens(clientOn(engine, server.url, { hooks }));
    const result = await form.call(platform);
    const [request] = server.received;
    if (request === undefined) throw new Error('nothing was sent');

    expect(`${request.method} ${request.path}`).toBe(`${form.method} ${form.path}`);
    expect(request.headers['user-agent']).toMatch(/^payment-platform\//);
    const key = request.headers['x-idempotency-key'];
    if (form.key === 'none') expect(key).toBeUndefined();
    else expect(key).toMatch(uuidV4);
    if (operation.public) expect(request.headers).not.toHaveProperty('client-secret');
    else expect(request.headers['client-id']).toBe('merchant-1');

    const contentType = request.headers['content-type'];
    if (form.json !== undefined) {
      expect(contentType).toBe('application/json');
      expect(JSON.parse(request.body.toString())).toEqual(form.json);
    } else if (form.form !== undefined) {
      const parts = await withBusboy(request.body, contentType ?? '');
      const texts = parts.map(({ name, text, file }) => [name, text ?? file?.sha256]);
      const wanted = Object.entries(form.form).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : sha256(value),
      ]);
      expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(wanted));
      expect(parts).toHaveLength(wanted.length);
    } else {
      expect(contentType).toBeUndefined();
      expect(request.body).toHaveLength(0);
    }

    if (operation.result === 'file') {
      expect(Buffer.from((result as { bytes: Uint8Array }).bytes).toString()).toBe(
        JSON.stringify(form.response),
      );
    } else if (isMethod) {
      expect(result).toEqual(form.response);
      expect(responseOf(result).idempotencyKey).toBe(key);
    }
    if (isMethod) expect(drift).toEqual([]);
  });
});
