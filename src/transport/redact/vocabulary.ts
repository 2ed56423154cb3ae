import { shapes } from '../../contract/generated/shapes.js';

/**
 * The words that texts of a platform are shown in, beside those of the contract: of payments, of HTTP, of the
 * system and of JavaScript, in English and Portuguese. No word here is a name of a person or of a place, or a
 * number above one that is spelt out.
 */
const words = `
abaixo aborted about above absent accept aceito acesso acima acquirer acquiring across activation actual add
additional adicional adquirente advice again agencia agent aggregate agora agência ainda algum alguma all allow
allowance alone already also alterado alteração although always analise another answer antes antifraud análise
ao aos apenas api app application approval approved aprovado após aquisição are around arquivo as ascii assign
assinatura async atingido ativar ativo attempt attribute atual até audience ausente autenticado autenticação
auth authentication authorised authority authorization authorized autorizado autorização available average
awaited away backend bad bairro balance banco bancário bandeira base base64 basic bearer because been begin
being belong below between bigint bin blocked bloqueado blurry body both boundary broken bucket buffer bundle
business busy but bytes cache cadastrado cadastro called campo cancel cancelado cannot capture caracteres
cardholder cartão cartões category cause cedente cent centavos cep certificado chain change character charge
chargeback charset chave check chunked cidade ciphertext class cliente close cobrança column com combination
combined company complemento complete completo compra comprador confere configuration conflict connect
connection constraint constructor contact contain contate contato conter contestação control corpo correct
correto corrupted could credenciais credential criado crypto cryptogram crédito crítico csr currency current cut
cvc código da dados das dashes database day de deadline debit decimals declined decode decompress default
deferred defined delay delete delivery denied dentro deny depois depth description details detected deve devem
device did diferente differ different digit digitável disabled disk disponível divergente diário dns do does
domínio done dos dots due duplicado duplicate duration during dígito each eai early econnrefused econnreset
ehostunreach either ela ele else em emissor enable encoding encontrado end endereço enetunreach enotfound enough
entity entre enviado envie environment eof epipe eproto equal errno erro espera esperado essa esse esta
estabelecimento estado este estornado estorno está etimedout evaluating event evento exactly excedeu excedido
exceed except exception exclude exist existe expected expirado expire expirou expiry extensible face fail
failure falha falhou falta fault feature fee fetch few field filled final financial find first flag foi follow
for fora forbidden form formato foto found fraud fraude from front frozen function fundos funds future física
gateway gere get getaddrinfo given go google greater group guid gzip had handled handler handshake has hash head
header hora horário host hour how html http idempotency identificador identified identifier identity if igual
ilegivel ilegível image import inativo include incomplete incompleto incorrect incorreto index indisponível
inexistente informado informações inicial inside installment instance instead insufficient insuficiente int
interim internal interno into invalid invalida inválido iso issue issuer it iterable itself jpeg json juros
jurídica jwt já keep-alive keepalive kind known large late later leave left legal length less level like limit
limite linha lista listen live local location lock login loja long longer lookup lost low lower luhn machine
made main maintenance maior mais make malformed mandatory many marker mas match max maximum maxlength may mb
media meio menor menos mensagem mesmo message mime min minimum minlength minor minute minutos mismatch missing
mixed mode model modo module moeda more motivo moved mtls much muito multa multipart máximo método mês mínimo na
nas nascimento needed needs negado nem nenhum nenhuma net network never new next nodejs nome none normal nos
nothing notice notification novamente novo now nulo não número o obrigatório ocorreu octet off offline on once
open operation operational operação option opção order organization origin original os other ou out outcome
outro outside over own owner package pagador pagamento page pago pan para parameter parcela parcelado parceria
parcial parse parser part parâmetro passed password past patch pattern payer payload payout país pdf pedido pelo
pendente per percentage period permanent permission permissão permitido permitted person personal pessoa photo
picture pipe place plain platform please png pode policy por portador position possui possível post poupança
prazo preenchido preenchimento prefix premature present presente previous private probability problem process
processado processamento processor product produto profile prohibited proibido proof properties property
protected protocol prototype provide provider proxy próximo put página qr qual quando quantidade que queue quota
range rate ratelimit razão reach read ready recebedor recebido receipt receive receiver recipient record recurso
recusa recusado redirect reembolso reenviar referenceerror refers referência refund refuse regexp registrado
registro regra reject rejection rejeitado related relation remaining remote repasse repeat replay report req
require requisição requisições reset resolve resource respond resposta rest restricted resubmittable result
resultado retries retry return reused review right row runtime saldo same sandbox saque schema se second section
secure security see segundos segurança select self seller sem send sendo senha sent ser server service servidor
serviço session sessão set settled settlement seu sha256 shape short should show side signal signature sim site
situação size small so sobre socket solicitado solicitação soma some somente soon sorry ssl stack standard start
step still store stream sua subaccount subconta submerchant submitted subscription substituído success sucesso
such sum suportado suporte support suspected suspeita suspenso syntax syntaxerror system table taken takes
tamanho tarde tax taxa tcp telefone tempo temporariamente temporarily temporary tentar tentativa tente ter
terminal terminated test text than that the their them then there these they this those threeds threedsdata time timeout
timestamp timezone tipo titular tls tls1 to todas today todos tokenization too total trace transaction transação
transações transfer transferências transport tried try tunnel typeerror ultrapassar unable unauthenticated
unauthorized unavailable undefined under undici undocumented unexpected unique unknown unprocessable unsent
unsupported until unused up upload upper upstream uri use user uso usually usuário utc utf utf-8 utf8 utilizado
v1 v2 v3 valid validade validar validate validation validação valor value valueerror vazio vencido vencimento
verificação verifique verify version versão via violates violation wait was way we web welcome were what when
where whether which while who whole why will window withdrawal within word worker writable write wrong x xml yet
you your zero é
`;

/** `unitPrice` has two words, and `insufficient_funds` too. */
export const wordsOf = (name: string): readonly string[] =>
  name.match(/\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|[\p{L}\p{M}]/gu) ?? [];

/** The words of what the contract states, such as `card.cvv` and `in_analysis`, but for the number of 3D Secure. */
const wordsOfContract = () =>
  wordsOf(JSON.stringify(shapes))
    .map((word) => word.toLowerCase())
    .filter((word) => word !== 'three');

let known: ReadonlySet<string> | undefined;

/** Put together for the first text. */
const vocabulary = () => (known ??= new Set([...wordsOfContract(), ...words.trim().split(/\s+/)]));

/** What a form of a word ends with, in English and Portuguese, and what the word ends with instead. */
const endings = [
  ['s', ''],
  ['es', ''],
  ['d', ''],
  ['ed', ''],
  ['ing', ''],
  ['ing', 'e'],
  ['a', 'o'],
  ['as', 'o'],
  ['os', 'o'],
  ['ly', ''],
] as const;

/** The words that a word, in small letters, may be a form of. */
export const formsOf = (word: string): readonly string[] =>
  endings.flatMap(([ending, instead]) =>
    word.length >= ending.length + 3 && word.endsWith(ending)
      ? [word.slice(0, -ending.length) + instead]
      : [],
  );

/** Whether a word, in any capitals, or the word that it is a form of, is shown. */
export function isKnownWord(given: string): boolean {
  const word = given.toLowerCase();
  return vocabulary().has(word) || formsOf(word).some((form) => vocabulary().has(form));
}
