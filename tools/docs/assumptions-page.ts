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

The API docs don't name every field. The SDK and the sandbox use the names below in requests, responses and notifications. If your platform uses a different name, set that name once in \`fieldNames\`, under the assumed name's key. Your code keeps using the name in the Property column. The sandbox and the functions that verify webhooks accept the same option:

\`\`\`ts
import { assumptions, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const fieldNames = { 'payment.clientIp': 'ip_address' };
const platform = new PaymentPlatform({ fieldNames }); // credentials come from the environment
const sandbox = createSandbox({ fieldNames }); // the same platform, offline
console.log(assumptions['payment.clientIp'].reason); // you can also read the list in code
\`\`\`

The new name can be a path into nested objects. The name can also differ between requests and responses: \`{ 'oauth.access_token': 'data.access_token', 'payment.split': { request: 'split_rules', response: 'result.split' } }\`.

The client throws a \`ConfigurationError\` if the new name is already documented for the same object, or if two properties get the same name. Inside \`split\`, \`wallet\`, \`threeDSData\`, and the bodies of withdrawals and \`vault.tokenize\`, the SDK assumes no names and sends the values unchanged.

For operations that the API docs mention without a path, see [Operations without a documented endpoint](undocumented.md).
`,
    tail: `The [OpenAPI file](openapi.json) marks each assumed name with \`x-assumed\` and the name's key.

## Additional checks

The client rejects values that fail a check below, even though the API docs allow them. The sandbox also rejects most of them. The \`issues\` of a \`ValidationError\` name the failed checks. Only \`payment.reference\` checks the response. To send such a value, turn the check off. In \`platform.request\`, only \`payment.reference\` and the checks of the key apply:

\`\`\`ts
import { sdkChecks, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const platform = new PaymentPlatform({ checks: { 'key.missingValue': false } }); // turns off one check
const sandbox = createSandbox({ checks: 'document' }); // uses only the rules of the API docs
console.log(sdkChecks['key.missingValue'], sandbox.clientOptions().checks, platform.engine);
\`\`\`

A few rules always apply. For example, a key can't contain non-ASCII characters, and a form needs a field.
`,
    allowances: `## Notification payload

The API docs name two fields: \`event\` and, for a boleto, \`boleto.digitableLine\`. The SDK assumes that the payload also contains the payment's fields, in one flat object. In the types, these fields are optional. Your receiver should read \`id\`, \`status\` and \`externalReference\`.

## Values beyond the API docs

The SDK also accepts the following values, although the API docs don't allow them:
`,
  },
  pt: {
    places: {
      request: 'corpo da requisição',
      query: 'query',
      response: 'corpo da resposta',
      notification: 'notificações',
      'response-header': 'cabeçalho da resposta',
    },
    of: 'de',
    everyOperation: 'todas as operações',
    columns: ['Chave', 'Propriedade', 'Na rede', 'Onde', 'Motivo'],
    head: `# Nomes presumidos

A documentação da API não nomeia todos os campos. Para os que ela não nomeia, o SDK e o sandbox usam os nomes abaixo em requisições, respostas e notificações. Se a sua plataforma usar outro nome, defina-o uma única vez em \`fieldNames\`, com a chave correspondente. O seu código continua usando o nome da propriedade. O sandbox e as funções que conferem webhooks aceitam a mesma opção:

\`\`\`ts
import { assumptions, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const fieldNames = { 'payment.clientIp': 'ip_address' };
const platform = new PaymentPlatform({ fieldNames }); // as credenciais vêm do ambiente
const sandbox = createSandbox({ fieldNames }); // a mesma plataforma, offline
console.log(assumptions['payment.clientIp'].reason); // você também pode ler a lista no código
\`\`\`

O nome novo pode ser um caminho em objetos aninhados. Você também pode definir um nome para as requisições e outro para as respostas: \`{ 'oauth.access_token': 'data.access_token', 'payment.split': { request: 'split_rules', response: 'result.split' } }\`.

O SDK lança um \`ConfigurationError\` se o nome novo já estiver documentado no mesmo objeto ou se duas propriedades receberem o mesmo nome. O SDK não presume nomes dentro de \`split\`, \`wallet\` e \`threeDSData\` nem no corpo de um saque ou de \`vault.tokenize\`. Ele envia esses valores sem alteração.

A página [Operações sem endpoint documentado](undocumented.md) lista as operações cujo caminho a documentação da API não mostra.
`,
    tail: `O [arquivo OpenAPI](../openapi.json) marca cada nome presumido com \`x-assumed\`, cujo valor é a chave acima.

## Conferências do SDK

O SDK rejeita os valores que não passam nas conferências abaixo, embora a documentação da API os permita. O sandbox rejeita a maioria deles. As \`issues\` de um \`ValidationError\` indicam as conferências que falharam. Só \`payment.reference\` examina a resposta. Para enviar um desses valores, desligue a conferência. Em \`platform.request\`, só valem \`payment.reference\` e as conferências da chave:

\`\`\`ts
import { sdkChecks, PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const platform = new PaymentPlatform({ checks: { 'key.missingValue': false } }); // desliga uma conferência
const sandbox = createSandbox({ checks: 'document' }); // usa só as regras da documentação da API
console.log(sdkChecks['key.missingValue'], sandbox.clientOptions().checks, platform.engine);
\`\`\`

Algumas regras valem sempre. Por exemplo, uma chave não pode ter caracteres fora do ASCII, e um formulário precisa de um campo.
`,
    allowances: `## O payload de uma notificação

A documentação da API só nomeia dois campos: \`event\` e, no boleto, \`boleto.digitableLine\`. O SDK supõe que o payload também contenha os campos do pagamento, em um único objeto, sem aninhamento. Nos tipos, esses campos são opcionais. O seu receptor deve ler \`id\`, \`status\` e \`externalReference\`.

## O que o SDK aceita a mais

O SDK também aceita os valores abaixo, embora a documentação da API não os permita:
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
