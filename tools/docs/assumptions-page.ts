import { operations } from '../../src/contract/index.js';
import { ownAllowances, sdkChecks } from '../../src/contract/sdk-checks.js';
import { type AssumedName, assumedBy, assumedNames } from './assumed.js';
import { code, table } from './markdown.js';
import type { AnyOperation } from './schemas.js';
import { inLanguage, type Language, type Words } from './words.js';

interface Fixed {
  readonly places: Readonly<Record<AssumedName['in'][number], string>>;
  readonly of: string;
  readonly everyOperation: string;
  readonly columns: readonly string[];
  readonly head: string;
  readonly tail: string;
  readonly allowances: string;
}

const words: Words<Fixed> = {
  en: {
    places: {
      request: 'request body',
      query: 'query',
      response: 'response body',
      notification: 'notifications',
      'response-header': 'response header',
    },
    of: 'of',
    everyOperation: 'every operation',
    columns: ['Key', 'Property', 'On the wire', 'Where', 'Reason'],
    head: `# Assumed names

The API docs leave some names open. The SDK uses the names below, in requests, answers and notifications, and the sandbox reads the same list. If the platform calls something otherwise, say so once, by its key; your code keeps using the property. The functions that check notifications and the sandbox take the same option:

\`\`\`ts
import { assumptions, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const fieldNames = { 'payment.clientIp': 'ip_address' };
const platform = new PaymentPlatform({ fieldNames }); // credentials come from the environment
const sandbox = createSandbox({ fieldNames }); // the same platform, offline
console.log(assumptions['payment.clientIp'].reason); // the list is data as well
\`\`\`

The name on the wire can be a path into objects, and differ between requests and answers: \`{ 'oauth.access_token': 'data.access_token', 'payment.split': { request: 'split_rules', response: 'result.split' } }\`.

An override that takes a documented name of the same object, or that gives two properties one name, is a \`ConfigurationError\`. Names inside \`split\`, \`wallet\`, \`threeDSData\`, the body of a withdrawal and that of \`vault.tokenize\` are not assumed at all: what you pass is sent as it is.

Operations that the API docs mention without a path have [their own page](undocumented.md).
`,
    tail: `The [OpenAPI file](openapi.json) marks each of them with \`x-assumed\` and its key.

## Checks of our own

The client rejects these before sending, although the API docs allow them. The sandbox rejects them as well, if it can see them. An issue of such a check has its name as \`check\`. A platform that allows one of them is reached with the option \`checks\`, or with \`platform.request\`:

\`\`\`ts
import { sdkChecks, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const platform = new PaymentPlatform({ checks: { 'key.missingValue': false } }); // one of them
const sandbox = createSandbox({ checks: 'document' }); // only the rules of the API docs
console.log(sdkChecks['key.missingValue'], sandbox.clientOptions().checks, platform.engine);
\`\`\`

Two rules come from the formats, and no option turns them off: a key can't begin or end with a space, because HTTP removes it, and a form needs at least one field.
`,
    allowances: `## The payload of a notification

The API docs show two fields of it: \`event\` and, for a boleto, \`boleto.digitableLine\`. The SDK assumes that it also has the payment's fields, in one flat object: they are optional in the types, and \`id\`, \`status\` and \`externalReference\` are what a receiver should look for.

## Wider than the document

The SDK accepts these, although the API docs are narrower:
`,
  },
  pt: {
    places: {
      request: 'corpo da requisição',
      query: 'query',
      response: 'corpo da resposta',
      notification: 'notificações',
      'response-header': 'header da resposta',
    },
    of: 'de',
    everyOperation: 'todas as operações',
    columns: ['Chave', 'Propriedade', 'Na rede', 'Onde', 'Motivo'],
    head: `# Nomes presumidos

A documentação da API deixa alguns nomes em aberto. O SDK usa os nomes abaixo em requisições, respostas e notificações, e o sandbox lê a mesma lista. Se a plataforma usa outro nome, informe-o uma vez, pela chave; o seu código continua usando a propriedade. As funções que conferem notificações e o sandbox aceitam a mesma opção:

\`\`\`ts
import { assumptions, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const fieldNames = { 'payment.clientIp': 'ip_address' };
const platform = new PaymentPlatform({ fieldNames }); // as credenciais vêm do ambiente
const sandbox = createSandbox({ fieldNames }); // a mesma plataforma, offline
console.log(assumptions['payment.clientIp'].reason); // a lista também é dado
\`\`\`

O nome na rede pode ser um caminho dentro de objetos e pode ser um nas requisições e outro nas respostas: \`{ 'oauth.access_token': 'data.access_token', 'payment.split': { request: 'split_rules', response: 'result.split' } }\`.

Uma troca que usa um nome documentado do mesmo objeto, ou que dá um só nome a duas propriedades, é um \`ConfigurationError\`. Os nomes dentro de \`split\`, \`wallet\`, \`threeDSData\`, do corpo de um saque e do de \`vault.tokenize\` não são presumidos: o que você passa é enviado como está.

As operações que o documento menciona sem um caminho têm [uma página própria](undocumented.md).
`,
    tail: `O [arquivo OpenAPI](../openapi.json) marca cada um deles com \`x-assumed\` e a chave.

## Conferências nossas

O que é recusado antes do envio embora a documentação da API não proíba, dos dois lados: pelo cliente, e pelo sandbox quando ele consegue ver. Um problema apontado por uma delas traz o nome dela em \`check\`. Se a sua plataforma permite algo que elas recusam, use a opção \`checks\` ou \`platform.request\`:

\`\`\`ts
import { sdkChecks, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const platform = new PaymentPlatform({ checks: { 'key.missingValue': false } }); // desliga uma delas
const sandbox = createSandbox({ checks: 'document' }); // nenhuma: só o que o documento afirma
console.log(sdkChecks['key.missingValue'], sandbox.clientOptions().checks, platform.engine);
\`\`\`

Duas regras vêm dos formatos, e nenhuma opção as desliga: uma chave não pode começar nem terminar com espaço, porque o HTTP o remove, e um formulário precisa de pelo menos um campo.
`,
    allowances: `## O payload de uma notificação

A documentação da API mostra dois campos dele: \`event\` e, em um boleto, \`boleto.digitableLine\`. Que os campos do pagamento venham ao lado deles, em um só objeto plano, é presumido: eles são opcionais nos tipos, e \`id\`, \`status\` e \`externalReference\` são o que um receptor deve procurar.

## Mais amplo que o documento

O que é aceito embora a documentação da API seja mais restrita:
`,
  },
};

/** Writes docs/assumptions.md. */
export function assumptionsPage(language: Language): string {
  const say = (key: string, text: string) => inLanguage(language, key, text);
  const { columns, head, tail, allowances } = words[language];
  const rows = assumedNames.map((name) => [
    code(name.key),
    code(name.property),
    code(name.wire),
    where(name, words[language]),
    say(`fieldNames.${name.key}`, name.reason).replaceAll('|', '\\|'),
  ]);
  const checks = Object.entries(sdkChecks).map(
    ([name, reason]) => `- **\`${name}\`**: ${say(`checks.${name}`, reason)}\n`,
  );
  const wider = Object.entries(ownAllowances).map(
    ([name, reason]) =>
      `- **${say(`allowances.${name}.name`, name)}**: ${say(`allowances.${name}`, reason)}\n`,
  );
  return [
    '<!-- Generated by npm run generate from the fields in src/contract/. -->\n',
    head,
    table([[...columns], ...rows]),
    tail,
    checks.join(''),
    allowances,
    wider.join(''),
  ].join('\n');
}

/** Lists the operations that use a name, with the parts that contain it. */
function where({ key, in: parts }: AssumedName, { places, of, everyOperation }: Fixed): string {
  const all: readonly AnyOperation[] = operations;
  const users = all.filter((operation) => assumedBy(operation).some((name) => name.key === key));
  const listed = users.map(({ id }) => code(id)).join(', ');
  return `${parts.map((part) => places[part]).join(', ')} ${of} ${listed || everyOperation}`;
}
