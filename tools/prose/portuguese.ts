import type { SentenceShape } from './shapes.js';

/** Terms that the glossary replaces, and word-by-word translations. */
export const portugueseShapes: readonly SentenceShape[] = [
  { instead: 'write "resultado"', pattern: /\bdesfechos?\b/i },
  { instead: 'write "cliente"', pattern: /\bpagador(?:es|a)?\b/i },
  { instead: 'write "documentação da API"', pattern: /\bdocumento da API\b/i },
  { instead: 'write "comportamento padrão do sandbox"', pattern: /\b(?:decisões|escolhas) do sandbox\b/i },
  { instead: 'write "dados do cartão"', pattern: /\bdados abertos\b/i },
  { instead: 'write "vendedor" or "marketplace"', pattern: /\bvend(?:er|a) para (?:outros|terceiros)\b/i },
  {
    instead: 'write "segredo do webhook" or "client secret"',
    pattern: /(?<!client[ -])\bsecrets?\b/i,
  },
  { instead: 'write "resposta"', pattern: /\b(?:o|um|de) retorno\b/i },
  { instead: 'write "em produção" or "no sandbox"', pattern: /\bcontra (?:o sandbox|a plataforma)\b/i },
  {
    instead: 'name who acts',
    pattern: /\b(?:é|são|foi|for|ser) (?:ditos?|ditas?|perguntad[oa]s?|pedid[oa]s?|avisad[oa]s?)\b/i,
  },
  {
    instead: '"onde" is a place: write "se" or "quando"',
    pattern: /\bonde (?:ess[ea]|não|nada|isso)\b/i,
  },
  { instead: 'write "mesmo com" or "depois de"', pattern: /\batravés d(?:e|a|o|as|os)\b/i },
  { instead: 'write "de novo" with a verb of yours: "tentar de novo"', pattern: /\bpedir de novo\b/i },
  { instead: 'write "aceita" or "funciona com"', pattern: /\bsuporta[mr]?\b/i },
  { instead: 'write "supor"', pattern: /\bassum(?:e|em|imos) que\b|\bnomes? assumid/i },
  { instead: 'write "excluir", "definir" or "imprimir"', pattern: /\b(?:delet|set|print)a(?:r|do|da|m)?\b/i },
  { instead: 'write "em vez de"', pattern: /\bao invés d/i },
  { instead: 'write "poder"', pattern: /\b(?:é|são|ser) capa(?:z|zes) de\b/i },
  { instead: 'write "talvez" or "no fim"', pattern: /\beventualmente\b/i },
  { instead: 'write "para"', pattern: /\bde (?:modo|forma) (?:a|que)\b/i },
  { instead: 'write "string"; "texto" is prose', pattern: /\b(?:um|o|como) texto (?:JSON|com|de \d)/i },
  {
    instead: 'name the person: "você", "o cliente"',
    pattern: /(?:^|[.;:] )Quem (?:chama|muda|quer|usa|tem)\b/,
  },
  { instead: 'write the name', pattern: /\bo que fica com você\b|\ba mesma coisa\b|\bpor si só\b/i },
];
