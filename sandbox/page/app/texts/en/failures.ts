import type { SandboxDefault } from '../../../../defaults/sandbox-default.js';

type Translated = Pick<SandboxDefault, 'topic' | 'default' | 'why'>;

export const failureTexts = {
  faults: {
    title: 'Simulate a failure',
    about: 'By default, a fault affects only the next matching request.',
    presets: 'Requests',
    group: {
      moved: 'Money moved, but your code does not learn it',
      notMoved: 'No money moved',
      open: 'Nobody knows yet',
      slow: 'Slow',
    },
    groupAbout: {
      moved: 'A retry with the same key must find the payment. With a new key, it charges twice.',
      notMoved: 'A retry with the same key makes the only payment.',
      open: 'You decide under Payments whether the payment was created.',
      slow: 'Longer than your timeout? Then the outcome is unknown to your code.',
    },
    preset: {
      lost: 'Executed, response lost',
      reset: 'Connection reset, not executed',
      unavailable: '503 from a gateway',
      late: 'Executed, but 504 after 5 s',
      slow: 'The response takes 5 s',
      garbage: 'HTML instead of JSON',
      truncate: 'Half a response',
      unknown: 'The acquirer does not respond',
    },
    own: 'Another fault',
    operation: 'Operation',
    any: 'any request',
    what: 'What goes wrong',
    phase: 'When',
    usualPhase: 'the default for this fault',
    phases: {
      'before-read': 'before it is read',
      'before-commit': 'before it is executed',
      'after-commit': 'after it was executed',
      'mid-response': 'in the middle of its response',
    },
    nth: 'From request number',
    times: 'How many requests',
    delay: 'Delay',
    add: 'Add',
    pending: 'Pending faults',
    none: 'No pending faults. Every request gets its response.',
    left: (count: number) => (count === 1 ? 'affects 1 more request' : `affects ${count} more requests`),
    from: (number: number) => `from matching request ${number}`,
    rate: (share: number) => `affects ${share * 100} % at random`,
    off: 'Remove',
    clear: 'Remove all',
  },
  deliveryFaults: {
    title: 'Deliveries',
    about: 'By default, a fault affects only the next webhook delivery.',
    preset: {
      drop: 'Never arrives',
      delay: 'Arrives 2 minutes later',
      duplicate: 'Arrives twice',
      reorder: 'Arrives after the next one',
      corrupt: 'A character was changed',
      'old-secret': 'Signed with an old secret',
    },
    any: 'any event',
    pending: 'Pending delivery faults',
    none: 'No pending faults. Every delivery arrives unchanged.',
    left: (count: number) => (count === 1 ? 'affects 1 more delivery' : `affects ${count} more deliveries`),
  },
  defaults: {
    title: 'Sandbox defaults',
    about:
      'How the sandbox behaves if the API docs do not say, and why. Your platform might behave differently.',
    filter: 'Filter the defaults',
    filterHint: 'Topic, option or behaviour',
    index: 'Topics',
    none: 'No matching defaults.',
    option: 'Option',
    /** Translations by the English topic; the control API returns English. */
    translations: {} as Readonly<Record<string, Translated>>,
  },
};
