// Writes the files for language models, with the common mistakes before the pages (https://llmstxt.org).
import { readFileSync } from 'node:fs';
import { type Language, sections } from '../../site/contents.js';
import { firstSentence } from './markdown.js';

const docs = new URL('../../docs/', import.meta.url);

const head = {
  en: `# payment-platform

> The client SDK (TypeScript) for merchants in Brazil: Pix, cards and boleto, onboarding of sellers, split payments, Apple Pay, signed webhooks, and a sandbox that runs offline.

Traps, which cost money:

- Amounts are integers in cents: \`1990\` is R$ 19,90.
- Give every payment an \`idempotencyKey\` made of the order, the same for each try: \`platform.payments.create(order, { idempotencyKey: 'order-1042' })\`. Never make a new key after an error.
- After an error look at \`error.outcome\`: \`not-executed\` means that this call had no effect, so fix the cause and send it again with the same key; after \`unknown\`, retry only with the same key (\`payments.reconcile\`).
- A refused card is \`payment.status === 'refused'\`, not an error.
- Webhooks are checked on the raw body, never on \`JSON.stringify(request.body)\`. Use \`createReceiver\` from \`payment-platform/webhooks\`.
- Never store PAN or CVV. Tokenize first (\`platform.vault.tokenize\`), and pay with \`card.cardTokenId\`; then leave \`customer\` out.
- The API docs describe no operation that reads, lists, cancels or refunds a payment, and no field for the code of a Pix. Do not invent one: see Refunds, and Pix.
- The secret belongs on a server, never in a page.
- In tests use the sandbox: \`createSandbox()\` from \`payment-platform/sandbox\`, no mocks of requests.
`,
  pt: `# payment-platform

> O SDK TypeScript para lojistas no Brasil: Pix, cartões e boleto, cadastro de vendedores, split, Apple Pay, webhooks assinados e um sandbox que roda sem internet.

Erros que custam dinheiro:

- Os valores são inteiros em centavos: \`1990\` é R$ 19,90.
- Passe em cada pagamento uma \`idempotencyKey\` gerada a partir do pedido, a mesma em todas as tentativas: \`platform.payments.create(order, { idempotencyKey: 'order-1042' })\`. Nunca crie uma chave nova depois de um erro.
- Depois de um erro, verifique \`error.outcome\`. Com \`not-executed\`, essa chamada não teve efeito: corrija a causa e tente de novo com a mesma chave. Com \`unknown\`, tente de novo só com a mesma chave (\`payments.reconcile\`).
- Um cartão recusado é \`payment.status === 'refused'\`, não um erro.
- Verifique cada webhook sobre o corpo bruto, nunca sobre \`JSON.stringify(request.body)\`. Use \`createReceiver\` de \`payment-platform/webhooks\`.
- Nunca armazene o número do cartão (PAN) nem o CVV. Crie um token (\`platform.vault.tokenize\`), pague com \`card.cardTokenId\` e não envie \`customer\`.
- A documentação da API não descreve operações para consultar, listar, cancelar ou estornar um pagamento, nem um campo para o código do Pix. Não invente: veja Estornos e Pix.
- Mantenha o client secret em um servidor, nunca em uma página.
- Em testes, use o sandbox: \`createSandbox()\` de \`payment-platform/sandbox\`, sem mocks das requisições.
`,
};

/** Pages for maintainers, and long tables. They are linked, but left out of the complete text. */
const linkedOnly = new Set([
  'fault-model',
  'sandbox-defaults',
  'assumptions',
  'architecture',
  'environments',
  'command',
  'control-api',
]);

const read = (page: string, language: Language) =>
  readFileSync(new URL(`${language === 'pt' ? 'pt/' : ''}${page}.md`, docs), 'utf8');

const findTitle = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** Returns a page's introduction, up to its first full stop. */
function findSubject(text: string): string {
  const paragraph = text
    .replaceAll(/<!--.*?-->/gs, '')
    .replace(/^# .+$/m, '')
    .trim()
    .split('\n\n')[0];
  const plain = (paragraph ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return firstSentence(plain);
}

/** Lists the pages, each with its subject. */
export const llms = (language: Language): string =>
  [
    head[language],
    ...sections.map(({ title, pages }) => {
      const items = pages.map((page) => {
        const text = read(page, language);
        return `- [${findTitle(text)}](${page}.md): ${findSubject(text)}`;
      });
      return `## ${title[language]}\n\n${items.join('\n')}\n`;
    }),
  ].join('\n');

/** Concatenates the list of common mistakes and all pages. */
export const llmsFull = (language: Language): string =>
  [
    head[language],
    ...sections
      .flatMap(({ pages }) => pages)
      .filter((page) => !linkedOnly.has(page))
      .map((page) => read(page, language).replaceAll(/<!--.*?-->\n*/gs, '')),
  ].join('\n');
