import type { DriftEvent, PaymentPlatform } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/index.js';
import { calledRecords } from '../operations/index.js';
import { clientOn, onBothEngines } from '../support/engines.js';
import { rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'text/json',
  'application/vnd.x+json',
];

onBothEngines((engine) => {
  describe('a request with the documented minimum is sent, and a minimal response causes no drift', () => {
    test.each(Object.entries(calledRecords))('for %s', async (name, { minimal: { requests, responses } }) => {
      const operation = operations.find((each) => each.id === name);
      const statuses = operation && 'success' in operation ? [202] : [200, 201, 202, 203];
      const drifts: unknown[] = [];
      let current = { status: 200, type: '', text: '' };
      const server = opens(
        await rawServer(({ socket }) => {
          const { status, type, text } = current;
          socket.write(
            `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
          );
        }),
      );
      // Leaves out issues about differing amounts and methods, because every response is combined with every
      // request.
      const isOfShape = ({ message }: { message: string }) => !message.startsWith('differs from the request');
      const hooks = {
        onDrift: ({ issues }: DriftEvent) => void drifts.push(...issues.filter(isOfShape)),
      };
      const platform: PaymentPlatform = opens(clientOn(engine, server.url, { checks: 'document', hooks }));
      for (const [index, response] of responses.entries()) {
        for (const status of statuses) {
          const type = contentTypes[(index + status) % contentTypes.length] as string;
          current = { status, type, text: JSON.stringify(response) };
          for (const request of requests) await request(platform);
        }
      }
      expect(drifts).toEqual([]);
    });
  });
});
