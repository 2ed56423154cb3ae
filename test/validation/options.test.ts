import { PaymentPlatform } from 'payment-platform';
import { createSandbox, type SandboxOptions } from 'payment-platform/sandbox';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { accept } from '../../src/errors/usage.js';
import {
  formerly,
  functionReader,
  integerReader,
  type OptionReaders,
  oneOf,
  readerFor,
  readOptions,
  required,
  validIf,
} from '../../src/validation/options.js';
import { tableReader } from '../../src/webhooks/options.js';
import { pix } from '../support/payments.js';

interface Options {
  mode?: 'fast' | 'slow' | undefined;
  count?: number | undefined;
  name: string;
  inner?: { onDone?: (() => void) | undefined } | undefined;
}

const text = validIf<string>((input) => typeof input === 'string', 'must be a string');

const readers: OptionReaders<Options> = {
  mode: oneOf('fast', 'slow'),
  count: integerReader(1, 'a number of tries'),
  name: required(text, 'is missing: pass it'),
  inner: readerFor({ onDone: functionReader<() => void>() }, 'hook'),
};

const problems = (input: unknown) =>
  readOptions(input, readers).issues.map(({ path, message }) => `${path} ${message}`.trim());

describe('readOptions', () => {
  test('accepts correct options, and returns undefined for missing ones', () => {
    const { value, issues } = readOptions({ mode: 'fast', name: 'a', count: undefined }, readers);
    expect(issues).toEqual([]);
    expect(value).toEqual({ mode: 'fast', name: 'a' });
  });

  test('reports every problem with its path in one error', () => {
    expect(problems({ mode: 'quick', count: 0.5, inner: { onDone: 1, onDon: 2 }, counts: 1 })).toEqual([
      'counts is an unknown option. Did you mean count?',
      "mode must be 'fast' or 'slow'",
      'count must be a number of tries: an integer of at least 1',
      'name is missing: pass it',
      'inner.onDon is an unknown hook. Did you mean onDone?',
      'inner.onDone must be a function',
    ]);
  });

  test('suggests the option that a misspelt one resembles', () => {
    expect(problems({ name: 'a', Mode: 'fast' })).toEqual(['Mode is an unknown option. Did you mean mode?']);
  });

  test.each([
    ['nam', 'name'],
    ['COUNT', 'count'],
    ['customer_name', 'name'],
    ['nmae', 'name'],
  ])('suggests, for the unknown option %s, the option %s', (input, meant) => {
    expect(problems({ name: 'a', [input]: 1 })).toEqual([
      `${input} is an unknown option. Did you mean ${meant}?`,
    ]);
  });

  test.each(['idempotency_key', 'colour', 'n'])(
    'suggests no option for %s, and lists the known options',
    (input) => {
      expect(problems({ name: 'a', [input]: 1 })).toEqual([
        `${input} is an unknown option. Known: mode, count, name, inner`,
      ]);
    },
  );

  test('truncates the long name of an unknown option', () => {
    expect(problems({ name: 'a', ['x'.repeat(5_000)]: 1 })).toEqual([
      `${'x'.repeat(40)}… is an unknown option. Known: mode, count, name, inner`,
    ]);
  });

  test.each([undefined, null, 1, 'text', [], () => 1])('rejects %s as options', (input) => {
    expect(problems(input)).toEqual(['must be an object with name']);
  });

  test('reads each option only once', () => {
    let reads = 0;
    const input = {
      name: 'a',
      get mode() {
        reads++;
        return reads === 1 ? 'fast' : 'other';
      },
    };
    expect(readOptions(input, readers).value?.mode).toBe('fast');
    expect(reads).toBe(1);
  });

  test('reads options that a class inherits', () => {
    class Defaults {
      get mode() {
        return 'slow';
      }
    }
    expect(readOptions(Object.assign(new Defaults(), { name: 'a' }), readers).value?.mode).toBe('slow');
  });
});

describe('an option with a former name', () => {
  let warn: MockInstance<typeof console.warn>;
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => warn.mockRestore());

  /** With and without suggestions of distant spellings. */
  const engines: Readonly<Record<string, (input: object, former: string) => { hook?: unknown }>> = {
    'of the client': (input, former) =>
      accept('PaymentPlatform', readerFor({ hook: formerly(former, text) }), input),
    'of webhooks': (input, former) =>
      accept('createReceiver', tableReader<{ hook?: string }>({ hook: formerly(former, text) }), input),
  };

  describe.each(Object.entries(engines))('in the reader %s', (where, read) => {
    const former = `old ${where}`;

    test('is accepted under both names, and the former one is announced once', () => {
      expect(read({ hook: 'a' }, former)).toEqual({ hook: 'a' });
      expect(warn).not.toHaveBeenCalled();
      for (const value of ['b', 'c']) expect(read({ [former]: value }, former)).toEqual({ hook: value });
      expect(warn.mock.calls).toEqual([[`payment-platform: the option ${former} is now called hook.`]]);
    });

    test('is rejected under both names together', () => {
      expect(() => read({ hook: 'a', [former]: 'b' }, former)).toThrow(
        `hook is also passed as ${former}, its former name`,
      );
    });

    test('is not required under either name, and an unknown name is still rejected', () => {
      expect(read({}, former).hook).toBeUndefined();
      expect(() => read({ hok: 'a' }, former)).toThrow('hok is an unknown option.');
    });
  });

  test('works for answers, which createSandbox now calls responses', async () => {
    const sandbox = createSandbox({ answers: { pixCode: 'pix.code' } } as SandboxOptions);
    const platform = new PaymentPlatform(sandbox.clientOptions());
    expect(await platform.payments.create(pix)).toMatchObject({ pix: { code: expect.any(String) } });
    expect(warn.mock.calls).toEqual([['payment-platform: the option answers is now called responses.']]);
    await sandbox.close();
  });
});

describe('an unknown option', () => {
  test.each([
    '4111111111111111',
    '4111-1111-1111-1111',
    '529.982.247-25',
    '11-98765-4321',
    'whsec_0123456789abcdef',
    'sk_live_abcdefgh',
    'topsecret-value',
  ])('whose name could be a secret or a number is not shown: %s', (name) => {
    const [issue] = readOptions({ name: 'a', [name]: 1 }, readers).issues;
    expect(`${issue?.path} ${issue?.message}`).not.toContain(name);
    expect(issue?.path).toBe('…');
  });

  test.each(['retries', 'max_retries', 'http2', 'on.paid'])('with an ordinary name is shown: %s', (name) => {
    expect(readOptions({ name: 'a', [name]: 1 }, readers).issues[0]?.path).toBe(name);
  });
});
