import type { deliveryFaults } from '../../../sandbox/faults/fault-names.js';
import { phases, possiblePhases } from '../../../sandbox/faults/fault-phases.js';
import { code } from '../markdown.js';
import type { Language, Words } from '../words.js';

/** The effect of a fault before the response, and in the middle of it. */
interface Effects {
  readonly before: Words<string>;
  readonly middle?: Words<string>;
}

const names: Partial<Record<keyof typeof possiblePhases, string>> = {
  replacement: '{ status }',
  slow: '{ slow }',
};

const effects: Readonly<Record<keyof typeof possiblePhases, Effects>> = {
  reset: {
    before: { en: 'the connection is reset', pt: 'a conexão cai' },
    middle: {
      en: 'the connection is reset after half the body',
      pt: 'a conexão cai depois de metade do corpo',
    },
  },
  hang: {
    before: { en: 'no response arrives', pt: 'nenhuma resposta chega' },
    middle: { en: 'the rest of the body never arrives', pt: 'o resto do corpo nunca chega' },
  },
  truncate: {
    before: {
      en: 'the connection ends after half of the response',
      pt: 'a conexão cai na metade da resposta',
    },
    middle: {
      en: 'the connection ends after half of a chunked response',
      pt: 'a conexão termina na metade de uma resposta chunked',
    },
  },
  garbage: {
    before: { en: 'the response is a 200 with an HTML page', pt: 'a resposta é um 200 com uma página HTML' },
    middle: { en: "the rest of the body isn't UTF-8", pt: 'o resto do corpo não é UTF-8' },
  },
  'invalid-json': {
    before: {
      en: 'the response is a 200 with half a JSON body',
      pt: 'a resposta é um 200 com metade de um JSON',
    },
    middle: {
      en: 'the response ends normally, but with only half the body',
      pt: 'a resposta termina normalmente, mas só traz metade do corpo',
    },
  },
  empty: { before: { en: 'the response is a 200 without a body', pt: 'a resposta é um 200 sem corpo' } },
  replacement: {
    before: { en: 'the response has that status', pt: 'a resposta tem o status definido na falha' },
  },
  slow: { before: { en: 'the response is slow', pt: 'a resposta chega devagar' } },
  'acquirer-unknown': {
    before: { en: 'a 502, then a 409 for the same key', pt: '502, e depois 409 para a mesma chave' },
  },
};

const titles: Readonly<Record<Language, string>> = { en: 'Fault', pt: 'Falha' };
const notPossible: Words<string> = { en: 'not possible', pt: 'não é possível' };
const only: Words<string> = { en: 'only at', pt: 'só em' };
const beforeResponse = phases.filter((phase) => phase !== 'mid-response');

function requestTable(language: Language): string[][] {
  const rows = Object.entries(effects).map(([name, { before, middle }]) => {
    const allowed = possiblePhases[name as keyof typeof possiblePhases].phases;
    const first = beforeResponse.filter((phase) => allowed.includes(phase));
    const limit =
      first.length === beforeResponse.length ? '' : ` (${only[language]} ${first.map(code).join(', ')})`;
    const isMiddle = allowed.includes('mid-response');
    if (isMiddle !== (middle !== undefined))
      throw new Error(`The effect of ${name} at mid-response is unclear.`);
    return [
      code(names[name as keyof typeof possiblePhases] ?? name),
      `${before[language]}${limit}`,
      (middle ?? notPossible)[language],
    ];
  });
  return [[titles[language], beforeResponse.map(code).join(', '), code('mid-response')], ...rows];
}

const deliveryEffects: Readonly<Record<(typeof deliveryFaults)[number], Words<string>>> = {
  drop: { en: 'the attempt is lost', pt: 'a tentativa se perde' },
  delay: {
    en: "the delivery arrives later, according to the sandbox's clock",
    pt: 'a entrega chega atrasada, pelo relógio do sandbox',
  },
  duplicate: { en: 'the delivery arrives twice', pt: 'a entrega chega duas vezes' },
  reorder: { en: 'the delivery arrives after the next one', pt: 'a entrega chega depois da próxima' },
  corrupt: {
    en: 'one character of the body differs from the signed body',
    pt: 'um caractere do corpo chega diferente do que foi assinado',
  },
  'old-secret': {
    en: 'the delivery is signed with the previous or a wrong secret',
    pt: 'o sandbox assina a entrega com o segredo anterior ou um errado',
  },
};

const effectTitles = { en: ['Fault', 'Effect'], pt: ['Falha', 'Efeito'] };

export const faultTables = {
  'faults.requests': requestTable,
  'faults.deliveries': (language: Language) => [
    effectTitles[language],
    ...Object.entries(deliveryEffects).map(([name, effect]) => [code(name), effect[language]]),
  ],
};
