import type { Options } from 'minisearch';

/**
 * Converts a word of a page or a search to a term of the index: without accents and plural endings, and with one term
 * for all synonyms. The page receives this function as source code, so it cannot use anything outside itself.
 */
export function processTerm(word: string): string | false {
  processTerm.terms ??= listTerms();
  const folded = word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  if (folded === '') return false;
  const stemmed = stem(folded);
  return processTerm.terms.get(folded) ?? processTerm.terms.get(stemmed) ?? stemmed;

  function stem(text: string) {
    if (text.length <= 4) return text;
    return text
      .replace(/(?:coes)$/, 'cao')
      .replace(/(?:es|s)$/, (end) => (end === 'es' && /[rz]es$/.test(text) ? '' : end === 'es' ? 'e' : ''));
  }

  /** The terms of synonyms by word and by stem, and false for words that are not searched. */
  function listTerms() {
    const terms = new Map<string, string | false>();
    const groups = [
      'estorno estornar estornado reembolso reembolsar reembolsado devolver devolucao refund refunded cashback',
      'parcela parcelamento parcelar parcelado installment instalment prestacao',
      'assinatura assinar assinado signature sign signed hmac',
      'chave key',
      'idempotencia idempotente idempotency idempotent',
      'contestacao chargeback disputa dispute',
      'cartao card',
      'pagamento pagar pago payment pay paid',
      'cobranca cobrar cobrado cobrou charge charged',
      'erro error falha exception excecao',
      'teste test testar testing',
      'producao production live homologacao homologar',
      'segredo secret senha password credencial credential',
      'duplicado duplicada duplicidade dobro duplicate twice duas',
      'chegar chega chegam arrive arrives receber recebe recebendo receive received getting',
      'vencimento vencer vencido due expired expire expirar expirado overdue',
      'vendedor seller subconta submerchant subaccount sublojista',
      'saque withdrawal withdraw sacar payout',
      'dividir divisao split',
      'limite limit rate',
      'fila queue',
      'queda crash kill morrer cair caiu',
      'prazo deadline timeout timed',
      'cabecalho header',
      'corpo body',
      'requisicao request',
      'resposta answer response',
      'certificado certificate',
      'dominio domain',
      'linha row digitavel',
      'processo process',
      'valor amount',
      'centavo cent',
      'cofre vault',
      'banco database postgres postgresql sqlite',
      'migrar migrate migration migracao',
      'instalar install instalacao installation',
      'servidor server',
      'relogio clock',
      'recusado recusar refused refusal decline declined',
      'registro registrar record recorded',
      'tarifa taxa fee comissao commission',
      'navegador browser frontend',
      'metrica metric monitoramento monitorar monitoring monitor observabilidade observability',
      'documento document',
      'linguagem language',
      'go golang',
      'kubernetes k8s',
      'ip ips',
      'webhook postback callback ipn notificacao notification',
      'cliente customer buyer comprador payer pagador shopper consumidor',
      'apagar excluir deletar remover delete remove erase exclusao',
      'alterar mudar trocar atualizar editar change replace update edit rotate',
      'consultar obter retrieve fetch lookup consulta get',
      'listar list listagem',
      'cancelar cancelado cancelamento cancel cancelled canceled cancellation',
      'capturar captura capture captured',
      'verificar validar conferir verify validate verification validation verificacao validacao verifique valide confira',
      'reenviar reenvio resend',
      'pendente pending waiting aguardando',
      'simular simule simulate',
      'baixar download',
      'painel dashboard panel',
      'licenca license licence',
      'tentativa retentativa retry retries attempt',
      'guardar salvar gravar armazenar store save stored saved',
      'dinheiro money',
      'next nextjs',
    ];
    const stopWords = [
      // Portuguese
      'a o os as e de do da dos das em no na nos nas que como um uma para por com meu minha meus minhas',
      'seu sua eu se ao ou qual quais quando onde quero posso pode devo deve preciso fazer faco tem ter',
      'ja nao mais pelo pela esse essa este esta isso ha sao foi estou acontece depois entao pra pro pras',
      'pros queria gostaria existe algum alguma alguem ainda usar usando utilizar tambem sobre',
      // English
      'the of how to is are was my your our what an in on for from and or i we you it its this that there',
      'does did can could should would will must may be been with at by when where which why not have has',
      'had got want need make use using any some about so s t ll re ve don doesn isn didn won im dont',
      'doesnt cant isnt please just really possible way someone something if after before now happens',
      'happen me us them long later',
    ].flatMap((line) => line.split(' '));
    for (const group of groups) {
      const [first = '', ...others] = group.split(' ').map(stem);
      for (const each of [first, ...others, ...group.split(' ')])
        if (!terms.has(each)) terms.set(each, first);
    }
    for (const each of stopWords) terms.set(each, false);
    return terms;
  }
}

/** The terms, once they are listed. */
processTerm.terms = undefined as Map<string, string | false> | undefined;

/**
 * Ranks a page's title and keywords before its sections. Ranks pages that mention everything, pages of samples, and
 * maintainers' pages after the page about the subject.
 */
export function boostDocument(id: string, _term?: string, stored?: Record<string, unknown>): number {
  const isTop = Array.isArray(stored?.titles) && stored.titles.length === 0;
  const place = isTop ? 2 : 1;
  if (
    /(fault-model|sandbox-defaults|assumptions|architecture|control-api|command|elsewhere|messages|api-document)/.test(
      id,
    )
  )
    return 0.35 * place;
  if (/(questions|methods|introduction|undocumented|upgrade|migrate)/.test(id)) return 0.5 * place;
  if (/(first-payment|sandbox-http|durable-examples|options)/.test(id)) return 0.6 * place;
  return place;
}

/** MiniSearch options, in the theme's format. */
export const synonyms: {
  options: Pick<Options, 'processTerm'>;
  searchOptions: NonNullable<Options['searchOptions']>;
} = {
  options: { processTerm },
  searchOptions: {
    // A typing error in a short word produces another word.
    fuzzy: (term) => (term.length < 5 ? false : 0.15),
    prefix: (term) => term.length > 1,
    boost: { title: 4, titles: 3, text: 3 },
    boostDocument,
  },
};
