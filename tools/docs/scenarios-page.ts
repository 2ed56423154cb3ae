import { type Scenario, scenarios } from '../../sandbox/scenarios/all.js';
import { code, table } from './markdown.js';
import { inLanguage, type Language, type Words } from './words.js';

/** Writes the example. One of its comments is prose instead of output, so that comment is translated. */
const example = (withoutFreezing: string) => `\`\`\`ts
import { PaymentPlatform } from 'payment-platform';
import { createSandbox, testCards, testNames } from 'payment-platform/sandbox';
import { samples } from 'payment-platform/testing';

const sandbox = createSandbox({ now: '2026-01-01T00:00:00Z' });
const platform = new PaymentPlatform(sandbox.clientOptions());

const card = await platform.payments.create(
  samples.payments.card({ card: { number: testCards.insufficientFunds } }),
  { idempotencyKey: 'order-1041' },
);
console.log(card.status, card.refusalReason); // refused { code: 'insufficient_funds', message: ... }

const pix = await platform.payments.create(
  samples.payments.pix({ customer: { name: testNames.paidAfter('30s') } }),
  { idempotencyKey: 'order-1042' },
);
await sandbox.clock.advance('30s'); // ${withoutFreezing}
console.log(sandbox.control.payments.retrieve(pix.id).status); // paid
\`\`\``;

const words: Words<{ readonly head: string; readonly columns: readonly string[] }> = {
  en: {
    head: `# Test cards and values

To simulate a case in the sandbox, send one of the values below. Your code doesn't need anything else. The package exports every value as a constant. For other languages, \`GET /_sandbox/scenarios\` lists the values.

With any other valid value, the sandbox approves a card payment, and leaves a Pix or boleto payment open until it expires. The sandbox approves an onboarding after \`kyc.approveAfter\`. Most domains stay pending until you call \`control.domains.verify\`.

${example('unless the clock is frozen, it moves on its own')}

- The times below refer to the sandbox's clock. A saved state also contains the changes that are still due.
- In a name such as \`Sandbox paid after 500ms\`, you can use any duration, such as \`30s\`, \`15m\`, \`1h\` or \`2d\`. Write the name exactly as shown, including the capital letter.
- For a Pix or boleto payment, you can also put one of the names for \`customer.name\` into \`externalId\`. If both fields contain such a name, \`customer.name\` determines the outcome.
- If a registration contains both a test name and a test document number, the name determines the outcome. You can include punctuation in a document number, because the client removes it.
- You can put a wallet token into any field of the \`wallet\` object.
- Other domains of the form \`verified.*.test\`, \`verified.*.example\`, \`fails.*.test\` or \`fails.*.example\` work like the domains below.
- After a payment with \`testCards.upsellRefused\`, the sandbox declines a later charge that uses the payment's upsell token.
`,
    columns: ['Value', 'Result', 'Constant'],
  },
  pt: {
    head: `# Cartões e valores de teste

Para simular um resultado, envie ao sandbox um dos valores abaixo. O pacote exporta cada valor como uma constante. Em outras linguagens, obtenha a lista em \`GET /_sandbox/scenarios\`.

Com qualquer outro valor válido, o sandbox aprova o cartão, e um Pix ou boleto fica em aberto até expirar. O sandbox aprova um cadastro (onboarding) depois de \`kyc.approveAfter\`, e a maioria dos domínios fica pendente até você chamar \`control.domains.verify\`.

${example('se o relógio não estiver congelado, basta esperar')}

- Os tempos são contados pelo relógio do sandbox. Um estado salvo também contém as mudanças que ainda não aconteceram.
- Você pode usar qualquer duração em um nome, como \`Sandbox paid after 500ms\`, \`30s\`, \`15m\`, \`1h\` ou \`2d\`. Escreva o nome exatamente assim, com a inicial maiúscula.
- Em um Pix ou boleto, os nomes de teste de \`customer.name\` também funcionam em \`externalId\`. Se os dois campos tiverem nomes de teste, vale o de \`customer.name\`.
- Em um cadastro, o nome prevalece sobre o documento. Você pode usar pontuação no documento, porque o SDK a remove.
- Você pode usar um token de carteira digital em qualquer campo do bloco \`wallet\`.
- Outros domínios no formato \`verified.*.test\`, \`verified.*.example\`, \`fails.*.test\` ou \`fails.*.example\` funcionam como os domínios abaixo.
- Se você pagar com \`testCards.upsellRefused\`, o sandbox recusa a cobrança posterior com o token de upsell.
`,
    columns: ['Valor', 'Resultado', 'Constante'],
  },
};

const formatTitle = ({ operation, field }: Scenario) => `${operation}: ${field}`;

/** Writes docs/scenarios.md. */
export function scenariosPage(language: Language): string {
  const { head, columns } = words[language];
  const titles = new Set(scenarios.map(formatTitle));
  const tables = [...titles].map((title) => {
    const rows = scenarios
      .filter((each) => formatTitle(each) === title)
      .map(({ id, value, leadsTo, constant }) => [
        code(value),
        inLanguage(language, `scenarios.${id}`, leadsTo),
        code(constant),
      ]);
    return `## ${title}\n\n${table([[...columns], ...rows])}`;
  });
  const generated = '<!-- Generated by npm run generate from sandbox/scenarios/. -->\n';
  return [generated, head, ...tables].join('\n');
}
