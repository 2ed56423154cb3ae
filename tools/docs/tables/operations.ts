import { namespaces, operations } from '../../../src/contract/index.js';
import type { Replay } from '../../../src/contract/operation.js';
import { findSchemas } from '../../../src/contract/schemas.js';
import {
  classifyStatus,
  type FailureClassification,
} from '../../../src/transport/response/classify-failure.js';
import { code, table } from '../markdown.js';
import type { AnyOperation } from '../schemas.js';
import { inLanguage, type Language, type Words } from '../words.js';

const all: readonly AnyOperation[] = operations;

interface Fixed {
  readonly columns: readonly string[];
  readonly keys: Readonly<Record<AnyOperation['idempotencyKey'], string>>;
  readonly repeats: Readonly<Record<Replay, string>>;
  readonly option: string;
  readonly failureColumns: readonly string[];
  readonly resent: Readonly<Record<Replay, string>>;
}

const words: Words<Fixed> = {
  en: {
    columns: ['Method', 'Endpoint', 'Key', 'Retried', 'Effect'],
    keys: { required: 'required', optional: 'optional', none: '' },
    repeats: { natural: 'yes', keyed: 'with its key', never: 'no' },
    option: 'the client option',
    failureColumns: ['Operations', 'No response, 500, 502 to 504', 'Retried', 'First attempt: 409'],
    resent: { natural: 'yes', keyed: 'with the same key', never: 'no' },
  },
  pt: {
    columns: ['Método', 'Endpoint', 'Chave', 'Repetida', 'Efeito'],
    keys: { required: 'obrigatória', optional: 'opcional', none: '' },
    repeats: { natural: 'sim', keyed: 'com a chave', never: 'não' },
    option: 'a opção do SDK',
    failureColumns: [
      'Operações',
      'Sem resposta, 500, 502 a 504',
      'Nova tentativa',
      'Primeira tentativa: 409',
    ],
    resent: { natural: 'sim', keyed: 'com a mesma chave', never: 'não' },
  },
};

/** Lists the operations of each namespace. */
export const operationSections = (language: Language): string =>
  Object.entries(namespaces)
    .map(([namespace, description]) => {
      const rows = all
        .filter(({ id }) => id.startsWith(`${namespace}.`))
        .map((operation) => formatRow(operation, language));
      const text = inLanguage(language, `operations.${namespace}`, description);
      return `## ${namespace}\n\n${text}\n\n${table([[...words[language].columns], ...rows])}`;
    })
    .join('\n');

/** Lists the outcome and the error of each operation's failures. Operations with the same results share a row. */
export function operationFailures(language: Language): string[][] {
  const { failureColumns, resent } = words[language];
  const rows = new Map<string, { readonly cells: readonly string[]; readonly ids: string[] }>();
  for (const operation of all.filter(({ id }) => findSchemas(id).through === undefined)) {
    const outcome = (classified: FailureClassification) =>
      code(operation.method === 'GET' ? 'not-executed' : classified.outcome);
    const conflict = classifyStatus(409, operation);
    const cells = [
      outcome(classifyStatus(500, operation)),
      resent[operation.replay],
      `${code(conflict.error.name)}, ${outcome(conflict)}`,
    ];
    const same = rows.get(cells.join()) ?? { cells, ids: [] };
    same.ids.push(code(operation.id));
    rows.set(cells.join(), same);
  }
  const body = [...rows.values()].map(({ cells, ids }) => [ids.join(', '), ...cells]);
  return [[...failureColumns], ...body];
}

function formatRow({ id, method, path, idempotencyKey, replay }: AnyOperation, language: Language): string[] {
  const { keys, repeats, option } = words[language];
  const { summary, through } = findSchemas(id);
  const name = through === undefined ? code(`platform.${id}`) : `${option} ${code(through)}`;
  return [
    name,
    code(`${method} ${path}`),
    keys[idempotencyKey],
    repeats[replay],
    inLanguage(language, `operations.${id}`, summary),
  ];
}
