import type { AnyAction } from '../../sandbox/control-api/action.js';
import { actions, groups } from '../../sandbox/control-api/actions/all.js';
import { prefix } from '../../sandbox/http/control-paths.js';
import { code, table } from './markdown.js';
import { inLanguage, type Language, type Words } from './words.js';

const example = `\`\`\`sh
curl http://127.0.0.1:4010/_sandbox/payments?status=waiting_payment
curl -X POST http://127.0.0.1:4010/_sandbox/payments/$ID/pay
curl -X POST http://127.0.0.1:4010/_sandbox/clock/advance -H 'content-type: application/json' -d '{"duration":"15m"}'
curl -X POST http://127.0.0.1:4010/_sandbox/faults -H 'content-type: application/json' -d '{"fault":"reset","operation":"payments.create","phase":"after-commit"}'
\`\`\``;

const words: Words<{ readonly head: string; readonly columns: readonly string[] }> = {
  en: {
    head: `# The sandbox's control API

Use the control API to operate the sandbox over HTTP from any language. It offers most functions of \`sandbox.control\`, \`clock\`, \`faults\`, \`journal\`, \`webhooks\` and \`ledger\`. Send requests to \`${prefix}/\` on a listening sandbox, or through \`sandbox.fetch\`.

To see the sandbox's page, open \`${prefix}/\` in a browser.

${example}

- The control API needs no credentials. Like the rest of the sandbox, it rejects requests from web pages on other origins and requests for unknown hosts.
- The journal doesn't contain requests to the control API, and faults don't affect these requests. The exception is the API request that \`sample\` sends.
- A list has the form \`{ "data": [...] }\`. If it accepts \`limit\`, it contains the last 100 items by default, or up to 1000. If it accepts \`before\`, set that to the id of the oldest item that you have (in the timeline, its number), to get older items.
- An error has the form \`{ "error": { code, message, issues } }\`. With a 400, the error names the problem, or several of them. A 404 usually means that the id or the path is unknown. If the record's status doesn't allow the action, the response is a 409. For a payment's status, \`legal\` lists the possible actions.
- Only \`${prefix}/credentials\`, \`POST ${prefix}/credentials/rotate\` and \`POST ${prefix}/merchants\` return client secrets. Responses show full card numbers (PANs) only for test cards. The sandbox recognises secrets by the field names in the API docs. It treats any other field as test data and stores it unchanged.
- \`GET ${prefix}/openapi.json\` describes the control API as [OpenAPI 3.1](sandbox-openapi.json).
- \`GET ${prefix}/events\` sends server-sent events. The \`change\` event lists the kinds of data that changed: \`{"kinds":["payments","deliveries"]}\`.
`,
    columns: ['Request', 'Fields', 'Effect'],
  },
  pt: {
    head: `# API de controle do sandbox

Controle o sandbox por HTTP, em qualquer linguagem. A API de controle oferece a maioria das funções de \`sandbox.control\`, \`clock\`, \`faults\`, \`journal\`, \`webhooks\` e \`ledger\`. Para usá-la, envie as requisições a \`${prefix}/\`, na porta do sandbox ou por \`sandbox.fetch\`.

Em um navegador, \`${prefix}/\` mostra a página do sandbox.

${example}

- A API de controle não exige credenciais. Como o resto do sandbox, ela rejeita requisições de páginas web de outras origens e requisições para hosts desconhecidos.
- As requisições à API de controle não aparecem no journal, e as falhas simuladas não as afetam. A exceção é a requisição à API que \`sample\` envia.
- Uma lista tem o formato \`{ "data": [...] }\`. Se aceitar \`limit\`, a lista traz os últimos 100 itens por padrão, ou até 1000. Se aceitar \`before\`, passe nele o id do item mais antigo da lista que você recebeu (na linha do tempo, o número), para obter itens mais antigos.
- Um erro tem o formato \`{ "error": { code, message, issues } }\`. Um erro 400 informa o problema, ou vários deles, e um 404 em geral significa que o id ou o caminho não existe. Se o status do registro não permitir a ação, a resposta é 409. Para o status de um pagamento, \`legal\` lista as ações possíveis.
- Só \`${prefix}/credentials\`, \`POST ${prefix}/credentials/rotate\` e \`POST ${prefix}/merchants\` retornam client secrets, e as respostas mostram o número completo (PAN) apenas de cartões de teste. O sandbox reconhece os segredos pelos nomes que os campos têm na documentação da API. O sandbox trata todos os outros campos como dados de teste e os guarda sem alteração.
- \`GET ${prefix}/openapi.json\` descreve a API de controle no formato [OpenAPI 3.1](../sandbox-openapi.json).
- \`GET ${prefix}/events\` envia server-sent events. O evento \`change\` lista os tipos de dados que mudaram: \`{"kinds":["payments","deliveries"]}\`.
`,
    columns: ['Requisição', 'Campos', 'Efeito'],
  },
};

/** Writes docs/control-api.md. */
export function controlPage(language: Language): string {
  const { head, columns } = words[language];
  const sections = Object.entries(groups).map(([group, about]) => {
    const rows = actions
      .filter(({ id }) => id.startsWith(`${group}.`))
      .map((action) => formatRow(action, language));
    return `## ${inLanguage(language, `control.${group}`, about)}\n\n${table([[...columns], ...rows])}`;
  });
  const generated = '<!-- Generated by npm run generate from sandbox/control-api/. -->\n';
  return [generated, head, ...sections].join('\n');
}

/** Writes a field's row. An optional field ends in a question mark. */
function formatRow(
  { id, method, path, body = {}, query = {}, summary }: AnyAction,
  language: Language,
): string[] {
  const fields = Object.entries({ ...query, ...body }).map(([name, { isRequired }]) =>
    code(isRequired ? name : `${name}?`),
  );
  return [
    code(`${method} ${prefix}${path}`),
    fields.join(', '),
    inLanguage(language, `control.${id}`, summary),
  ];
}
