import { notShown, untried } from '../../tools/conformance/entry.js';
import { id } from '../support/payments.js';
import type { OperationRecord } from './operation-record.js';

const registration = 'A registration has an HTTPS URL, a list of events, and a secret that is text';
const secretRules = 'An update without hmac_secret keeps the secret, null removes it, a string sets it';
const signature = 'The signature is HMAC-SHA256 over timestamp.body';

const endpoint = {
  id,
  endpoint: 'https://shop.example/hooks',
  status: 'active',
  created_at: '2026-01-01T00:00:00Z',
  events: ['transaction.paid'],
  hmac_configured: true,
};

export const webhookRecords = {
  'webhooks.create': {
    section: 'POST /v1/webhooks',
    statements: {
      prefix: 'webhook',
      lines: [
        ['webhook_url is an HTTPS URL', ['The URL is https', registration]],
        ['events is a list of names', registration],
        [
          'hmac_secret is optional, 16 to 256 characters',
          ['hmac_secret has at least 16 characters', 'hmac_secret has at most 256 characters', registration],
        ],
        ['The secret is stored encrypted', untried('How it is stored is not seen from outside.')],
        ['With it every delivery is signed', signature],
        [
          'It returns the endpoint, never the secret',
          'A registration returns the endpoint without its secret, and the list has one item per URL',
        ],
      ],
    },
    sample: async ({ platform, secret }) => {
      const { id } = await platform.webhooks.create({
        webhook_url: 'https://shop.example/webhooks',
        events: ['transaction.paid', 'transaction.refused'],
        hmac_secret: secret,
      });
      console.log(id);
    },
    testSamples: [({ platform, samples }) => platform.webhooks.create(samples.webhooks.register())],
    wire: {
      call: (platform) =>
        platform.webhooks.create({
          webhook_url: 'https://shop.example/hooks',
          events: ['transaction.paid'],
          hmac_secret: '0123456789abcdef',
        }),
      method: 'POST',
      path: '/v1/webhooks',
      json: {
        webhook_url: 'https://shop.example/hooks',
        events: ['transaction.paid'],
        hmac_secret: '0123456789abcdef',
      },
      key: 'none',
      response: endpoint,
    },
    minimal: {
      requests: [
        (p) => p.webhooks.create({ webhook_url: 'https://shop.example', events: [] }),
        (p) =>
          p.webhooks.create({
            webhook_url: 'https://shop.example',
            events: ['withdrawal.paid'],
            hmac_secret: 'x'.repeat(16),
          }),
      ],
      responses: [{ ...endpoint, events: [], hmac_configured: false }],
    },
  },
  'webhooks.update': {
    section: 'PUT /v1/webhooks/{id}',
    statements: {
      prefix: 'webhook-update',
      lines: [
        ['It changes an endpoint of the list', [secretRules, 'An unknown webhook cannot be changed']],
        ['A text sets the secret', secretRules],
        ['Without the field it stays', secretRules],
        ['null turns signing off', [secretRules, 'Without a secret a delivery has no signature headers']],
        ['The name of the URL is open', notShown],
      ],
    },
    sample: async ({ platform, endpointId, secret }) => {
      await platform.webhooks.update(endpointId, {
        webhook_url: 'https://shop.example/webhooks',
        events: ['transaction.paid', 'transaction.refunded'],
        hmac_secret: secret,
      });
    },
    testSamples: [
      async ({ platform, samples }) => {
        const { id } = await platform.webhooks.create(samples.webhooks.register());
        return platform.webhooks.update(id, samples.webhooks.update());
      },
    ],
    wire: {
      call: (platform) =>
        platform.webhooks.update(id, { events: ['transaction.refused'], hmac_secret: null }),
      method: 'PUT',
      path: `/v1/webhooks/${id}`,
      json: { events: ['transaction.refused'], hmac_secret: null },
      key: 'none',
      response: endpoint,
    },
    minimal: {
      requests: [{}, { hmac_secret: null }, { events: ['any.event'] }].map(
        (changes) => (p) => p.webhooks.update(id, changes),
      ),
      responses: [{}, [], 'ok', 1, null],
    },
  },
  'webhooks.list': {
    section: 'GET /v1/webhooks',
    statements: {
      prefix: 'webhooks',
      lines: [
        ['It lists the endpoints in data', 'GET /v1/webhooks lists the endpoints, without their secrets'],
        [
          'One item per URL',
          'A registration returns the endpoint without its secret, and the list has one item per URL',
        ],
        ['In every status', untried('No operation changes the status of an endpoint.')],
      ],
    },
    sample: async ({ platform }) => {
      const { data } = await platform.webhooks.list();
      for (const { id, endpoint, status } of data) console.log(id, endpoint, status);
    },
    wire: {
      call: (platform) => platform.webhooks.list(),
      method: 'GET',
      path: '/v1/webhooks',
      key: 'none',
      response: { data: [endpoint] },
    },
    minimal: { requests: [(p) => p.webhooks.list()], responses: [{ data: [] }, { data: [endpoint] }] },
  },
} satisfies Record<string, OperationRecord>;
