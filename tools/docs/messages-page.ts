import { code, filter, table } from './markdown.js';
import { type Area, areas, collectMessages } from './messages.js';
import type { Language, Words } from './words.js';

interface Fixed {
  readonly head: string;
  readonly columns: readonly [message: string, remedy: string];
  /** The line above the table of rules. */
  readonly rules: string;
  readonly titles: Readonly<Record<Area, string>>;
  /** The remedy for a message that does not contain one. */
  readonly remedies: Readonly<Record<Area, string>>;
}

const words: Words<Fixed> = {
  en: {
    head: `# Messages

This page lists error messages of the package, and a remedy for many of them. If a message consists of several parts, the page shows each part separately. \`{name}\` stands for a value, and \`…\` for a longer part. Messages can change in any version, so have your code check [\`outcome\` and \`code\`](errors.md) instead.

If a \`ValidationError\` or \`ConfigurationError\` names a field or option, such as \`items.0.quantity\` or \`timeout\`, and then states a rule, the SDK has not sent the request. Change the value, and repeat the call with the same idempotency key.
`,
    columns: ['Message', 'What to do'],
    rules: 'Rules:',
    titles: {
      client: 'Client',
      receiver: 'Webhook receiver',
      durable: 'Durable payments',
      command: 'Command',
      sandbox: 'Sandbox',
      testing: 'Testing helpers',
    },
    remedies: {
      client:
        "In a call's error, the message usually also says whether the call was executed, and how to retry.",
      receiver:
        'If one of these errors concerns a delivery, the status of the response depends on the [outcome](webhooks.md#responses).',
      durable:
        'If one of these errors names an argument or an option, correct it. After any other error, check `record.state`. For `failed`, `given_up` and `in_doubt`, the SDK sends nothing more. For another state, or without `record`, call `create` again with the same key and payload, or leave the payment to `run`.',
      command: 'To fix most of these errors, correct the argument. `--help` lists the options.',
      sandbox: 'To fix most of these errors, correct the call.',
      testing: 'To fix these errors, correct the argument.',
    },
  },
  pt: {
    head: `# Mensagens

Encontre mensagens de erro deste pacote e a solução para muitas delas. Se o pacote monta uma mensagem em partes, a página mostra cada parte. \`{name}\` representa um valor, e \`…\` representa um valor mais longo. As mensagens estão em inglês e podem mudar em qualquer versão. No código, use [\`outcome\` e \`code\`](errors.md).

As regras aparecem depois do nome do campo ou da opção, como \`items.0.quantity\` ou \`timeout\`. Se um \`ValidationError\` ou \`ConfigurationError\` trouxer uma dessas regras, o SDK não enviou a requisição. Corrija o valor e tente de novo com a mesma chave de idempotência.
`,
    columns: ['Mensagem', 'O que fazer'],
    rules: 'Regras:',
    titles: {
      client: 'Cliente',
      receiver: 'Receptor de webhooks',
      durable: 'Pagamentos duráveis',
      command: 'Comando',
      sandbox: 'Sandbox',
      testing: 'Ferramentas de teste',
    },
    remedies: {
      client:
        'No erro de uma chamada, a mensagem em geral também informa se a plataforma executou a chamada e como tentar de novo.',
      receiver:
        'Se um destes erros for sobre uma entrega, o status da resposta depende do [resultado](webhooks.md#respostas).',
      durable:
        'Se um destes erros citar um argumento ou uma opção, corrija-o. Depois de outro erro, confira `record.state`. Em `failed`, `given_up` e `in_doubt`, o SDK não envia mais nada. Em outro estado, ou sem `record`, chame `create` de novo, com a mesma chave e os mesmos dados, ou espere o `run` concluir o pagamento.',
      command: 'Para resolver a maioria dos erros abaixo, corrija o argumento. `--help` lista as opções.',
      sandbox: 'Para resolver a maioria dos erros abaixo, corrija a chamada.',
      testing: 'Para resolver os erros abaixo, corrija o argumento.',
    },
  },
};

/** Checks whether a message follows the name of a field or an option. */
const rule =
  /^(?:must|is|has|have|cannot|needs|contains|are|was|were|refers|holds|does|do|could|comes|already)\b/;

/** Quotes a message for a table cell. Backticks and bars would end the cell. */
const quoted = (message: string) =>
  code(message.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll('\n', ' '));

/** Writes a remedy as text. Only placeholders, and the names that the message quotes, are code. */
const advice = (remedy: string) =>
  remedy
    .replaceAll('\n', ' ')
    .split(/(`[^`]+`|\{[^}]*\})/)
    .map((part, index) =>
      index % 2 === 1 ? code(part.replaceAll('`', '')) : part.replace(/[\\`*_<>[\]|]/g, '\\$&'),
    )
    .join('');

/** Writes docs/messages.md. */
export function messagesPage(language: Language): string {
  const { head, columns, rules, titles, remedies } = words[language];
  const messages = collectMessages();
  const sections = areas.map((area) => {
    const own = messages.filter((message) => message.area === area);
    const advised = own.filter(({ remedy }) => remedy !== '');
    const plain = own.filter(({ remedy }) => remedy === '');
    const list = (isOwn: (cause: string) => boolean) =>
      plain.flatMap(({ cause }) => (isOwn(cause) ? [`- ${quoted(cause)}`] : [])).join('\n');
    const [sentences, ownRules] = [list((cause) => !rule.test(cause)), list((cause) => rule.test(cause))];
    return [
      `## ${titles[area]}\n`,
      table([[...columns], ...advised.map(({ cause, remedy }) => [quoted(cause), advice(remedy)])]),
      `${remedies[area]}\n`,
      `${sentences}\n`,
      ...(ownRules === '' ? [] : [`${rules}\n`, `${ownRules}\n`]),
    ].join('\n');
  });
  return ['<!-- Generated by npm run generate from the sources. -->\n', head, filter, ...sections].join('\n');
}
