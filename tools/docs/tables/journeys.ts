import { type JourneyName, journeys } from '../../../sandbox/cli/integration-check/journeys.js';
import { code } from '../markdown.js';
import type { Language } from '../words.js';

const portuguese: Readonly<Record<JourneyName, string>> = {
  paid: 'um pedido fica em aberto até o webhook chegar, e está pago quando a loja confirma o recebimento',
  'exact-body': 'a assinatura é verificada sobre os bytes que chegam',
  duplicate: 'um evento que chega de novo não tem um segundo efeito',
  'concurrent-duplicates': 'cópias de um evento que chegam ao mesmo tempo têm um só efeito',
  forged: 'a loja só aceita uma entrega autêntica e recente',
  'unknown-event': 'um evento que a loja não conhece é confirmado e não tem efeito',
  refund: 'um pedido estornado deixa de estar pago, e um evento atrasado não muda isso',
  'late-paid': 'um pedido cujo estorno chega antes do pagamento não fica pago',
  expired: 'um pedido vencido não está pago, e a loja não mostra mais o código Pix dele',
  declined: 'um pedido com um cartão recusado não está pago e cria um só pagamento',
  'early-event': 'um evento que chega antes da resposta ao pedido ainda o paga',
  'lost-response': 'uma resposta perdida leva a um só pagamento, e o pedido pode ser pago',
  'gateway-timeout': 'um 504 depois da cobrança leva a um só pagamento, e o pedido pode ser pago',
  outage: 'um pedido do qual todas as respostas se perdem é cobrado uma vez, mesmo que o cliente o repita',
  'double-click': 'duas requisições para o mesmo pedido ao mesmo tempo criam um só pagamento',
};

/** The table of the journeys in the page about the check of a shop. */
export const journeyTables: Readonly<Record<string, (language: Language) => string[][]>> = {
  'shop.journeys': (language) => [
    language === 'en'
      ? ['Journey', 'What holds for a right shop']
      : ['Jornada', 'O que vale em uma loja certa'],
    ...journeys.map(({ name, expected }) => [code(name), language === 'en' ? expected : portuguese[name]]),
  ],
};
