import { limits } from '../../../src/contract/limits.js';
import type { Language, Words } from '../words.js';

const { submerchants, onboarding, vault } = limits.requestsPerMinute;
const earlier = limits.earlierSubmerchantsPerMinute;

const perMinute = (count: number, per: Words<string>): Words<string> => ({
  en: `${count} requests per minute per ${per.en}`,
  pt: `${count} requisições por minuto por ${per.pt}`,
});
const credential: Words<string> = { en: 'credential', pt: 'credencial' };

const titles = {
  en: ['Operations', 'Limit according to the API docs'],
  pt: ['Operações', 'Limite segundo a documentação da API'],
};

const documented: readonly (readonly [Words<string>, Words<string>])[] = [
  [
    {
      en: 'creating and updating sub-accounts, and onboarding',
      pt: 'criação, alteração e cadastro de subcontas',
    },
    perMinute(submerchants, credential),
  ],
  [
    {
      en: 'operations under `/v1/submerchants`, according to an earlier statement in the API docs',
      pt: 'operações em `/v1/submerchants`, segundo um trecho anterior da documentação',
    },
    perMinute(earlier, credential),
  ],
  [
    { en: '`vault.tokenize`', pt: '`vault.tokenize`' },
    perMinute(vault, { en: 'IP address', pt: 'endereço IP' }),
  ],
  [
    { en: 'payments and all other operations', pt: 'pagamentos e todas as outras operações' },
    { en: 'not documented', pt: 'não documentado' },
  ],
];

const settingTitles = {
  en: ['Your contract allows', 'Set `rateLimits` to'],
  pt: ['O contrato permite', 'Defina `rateLimits` como'],
};

const settings: readonly (readonly [Words<string>, string])[] = [
  [
    { en: `${submerchants} for both together`, pt: `${submerchants} para os dois juntos` },
    `{ submerchants: ${submerchants}, onboarding: 'submerchants' }`,
  ],
  [
    { en: `${submerchants} for each`, pt: `${submerchants} para cada um` },
    `{ submerchants: ${submerchants}, onboarding: ${onboarding} }`,
  ],
  [
    {
      en: `${earlier} for sub-accounts, ${onboarding} for onboarding`,
      pt: `${earlier} para subcontas, ${onboarding} para cadastro`,
    },
    `{ submerchants: ${earlier}, onboarding: ${onboarding} }`,
  ],
];

export const limitTables = {
  'limits.documented': (language: Language) => [
    titles[language],
    ...documented.map((row) => row.map((cell) => cell[language])),
  ],
  'limits.settings': (language: Language) => [
    settingTitles[language],
    ...settings.map(([contract, option]) => [contract[language], `\`${option}\``]),
  ],
};
